# CPack runs this when the files of the Debian package are in its staging folder: brings them into the form that Debian's
# policy asks for.
set(doc ${CPACK_TEMPORARY_DIRECTORY}/usr/share/doc/gufo)
file(REMOVE ${doc}/LICENSE)
file(COPY_FILE ${CPACK_GUFO_PACKAGING_DIR}/copyright ${doc}/copyright)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, if it is set
file(WRITE ${doc}/changelog "gufo (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Package made from the sources by ./dev package.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB manuals ${CPACK_TEMPORARY_DIRECTORY}/usr/share/man/man1/*.1)
execute_process(COMMAND gzip -9n ${manuals} ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE all ${CPACK_TEMPORARY_DIRECTORY}/usr/share/*)
foreach(one ${all})
    file(CHMOD ${one} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
