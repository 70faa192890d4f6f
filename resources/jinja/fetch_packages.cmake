# `npm ci` in the current folder, with the package.json and package-lock.json of SOURCE; touches STAMP when it is done.
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION .)
execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
                RESULT_VARIABLE result ERROR_VARIABLE said)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "npm could not fetch the packages with which the template engine is bundled (core-js, "
                        "esbuild: resources/jinja/package-lock.json). The first build needs the network, or "
                        "these packages in npm's cache. npm said:\n${said}")
endif()
file(TOUCH ${STAMP})
