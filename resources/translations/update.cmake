# Takes the strings of the sources into the catalogues of FOLDER with Qt's LUPDATE. The English catalogue holds only the
# sentences that have several forms (%n): everything else is English already. The other catalogues hold all strings. An
# empty file becomes the catalogue of the language that it is named after.
cmake_minimum_required(VERSION 3.25)
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
file(GLOB_RECURSE sources ${root}/ui/*.cpp ${root}/ui/*.h ${root}/ui/*.inc ${root}/core/*.inc ${root}/app/*.cpp ${root}/app/*.h
     ${root}/core/text/conversation/battery.cpp) # the names of its conversations stand beside them
list(SORT sources)
set(list ${FOLDER}/sources.lst)
list(JOIN sources "\n" lines)
file(WRITE ${list} "${lines}\n")
file(GLOB catalogues ${CMAKE_CURRENT_LIST_DIR}/gufo_*.ts)
foreach(catalogue ${catalogues})
    get_filename_component(name ${catalogue} NAME)
    string(REGEX REPLACE "gufo_(.*)\\.ts" "\\1" language ${name})
    set(target ${FOLDER}/${name})
    if(EXISTS ${target})
        file(SIZE ${target} bytes)
        if(bytes EQUAL 0) # lupdate writes the language, which determines the plural forms, only into a new file
            file(REMOVE ${target})
        endif()
    endif()
    set(options -locations none -no-obsolete -source-language en -target-language ${language})
    if(language STREQUAL en)
        list(APPEND options -pluralonly)
    endif()
    # Where headers are found, as the layers see them: the contexts of tr() are the classes declared there.
    execute_process(COMMAND ${LUPDATE} -I ${root} -I ${root}/core -I ${root}/app ${options} @${list} -ts ${target}
                    TIMEOUT 120 COMMAND_ERROR_IS_FATAL ANY ERROR_VARIABLE problems ERROR_STRIP_TRAILING_WHITESPACE)
    if(problems)
        file(REMOVE ${list})
        message(FATAL_ERROR "lupdate cannot tell the context of some strings:\n${problems}")
    endif()
endforeach()
file(REMOVE ${list})
