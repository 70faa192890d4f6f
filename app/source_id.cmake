# Writes HEADER, which says what the programs in SOURCE are built from, unless it says so already: the commit, with
# "+changes" if tracked files differ from it, or in an archive the commit that git wrote into source_id.txt.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty=+changes --exclude=* --abbrev=12
                OUTPUT_VARIABLE id OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT EXISTS ${SOURCE}/.git) # the folder may lie in another repository
    file(READ ${CMAKE_CURRENT_LIST_DIR}/source_id.txt id)
    string(STRIP "${id}" id)
    if(NOT id MATCHES "^[0-9a-f]+$")
        set(id "unknown commit")
    endif()
endif()
set(text "#pragma once\n#define GUFO_SOURCE_ID \"${id}\"\n")
set(old "")
if(EXISTS ${HEADER})
    file(READ ${HEADER} old)
endif()
if(NOT old STREQUAL text)
    file(WRITE ${HEADER} "${text}")
endif()
