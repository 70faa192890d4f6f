<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Details</name>
    <message>
        <source>the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a string</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an array element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the normalisation table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>array elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>entries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of entries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of an entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of calls of an entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the size of an entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the values of an entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of the data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens of context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>elements of the grammar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nested groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repetitions of one element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes of grammar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ways to continue the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the end of the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a comma or }</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a comma or ]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a name in quotes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a colon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a string without control characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the end of a string</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a string in UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an escape sequence such as \n or \u00e9</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both halves of a surrogate pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a string or a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>element_type or value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>element_type and value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number of elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the type of the value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>element_type, the type of the elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list of changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the numbers of a change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a known change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a draft of version 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the end of the draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key, type, element_type, length or value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an object of keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an object with key, type and value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list of messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a message with a role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a part of a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a string, a list of parts, or null</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tool call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the end of a quoted cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something to match, or the end of the line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something to match, | or )</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of a Unicode character before this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the end of the range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a range whose end is not below its start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a token, written as &lt;text&gt; or &lt;[id]&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the id of a token, as in &lt;[128]&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number of repetitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a second number that is not below the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a part of type &quot;text&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an object with &quot;type&quot; and &quot;value&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an object with &quot;element_type&quot; and &quot;value&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a value of type %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 elements</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>something to match before %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 hexadecimal digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one of n r t &quot; \ [ ] - ^ x u U after the backslash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the &quot; that ends the literal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the ] that ends the character class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a character class that matches something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>]&gt; after the token&apos;s id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&gt; after the token&apos;s text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most %1 repetitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rule &quot;%1&quot; is defined a second time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this ) has no matching (</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no rule &quot;%1&quot; to begin with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rule &quot;%1&quot; is not defined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rule &quot;%1&quot; begins with itself (left recursion)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the grammar is not valid UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the vocabulary has no token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the array is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an array of arrays cannot be written as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the alignment must be a power of two and at least 8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the alignment must be a u32, a power of two and at least 8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GGUF version %1 has no 64-bit values: change the type of the value first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of the key is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a key may have %1 bytes, but this one has %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the array is damaged or nested more than %1 deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this key says which part of a set the file is: split or merge the model instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of the tensor is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a tensor may have %1 bytes, but this one has %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name is not valid UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the other model has the other byte order: convert it first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>big-endian files have version 3 or later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the byte order of data of an unknown tensor type cannot be changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two keys have the same name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two tensors have the same name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file would be too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more bytes were given than announced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer bytes were given than announced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there would be more than 65,535 files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a file of the set would be replaced by another part of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a file that tensors are imported from would be replaced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model&apos;s own file cannot be the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two files of the set are the same file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the files of the set are in different folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version 1 has no dimensions over 2^32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version %2 has no values of type %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version 1 has no strings of more than 2^32 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version 1 has no arrays of more than 2^32 elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two entries of the importance matrix have this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the type of an entry of the importance matrix must be F32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the importance matrix has no %1 beside it</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the importance matrix has %1 values but %2 counts for it</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>its importance matrix has %1 values, but the tensor has %2 columns: it belongs to another model</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>a count of its importance matrix is not a number of tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its importance matrix holds values that are negative or not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the importance must be finite and not negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>rows of %1 weights are not whole blocks of %2, which hold %3</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the number of weights is not a number of whole rows, or the sizes disagree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the bytes are not whole blocks of the type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weight is outside of the block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor has no weight %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rows or columns lie outside of the tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the dimension of the rows does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an index of another dimension lies outside of the tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the parts of the tensors that are compared have different sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the range of the histogram is empty or not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no models to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sizes that the file states overflow 64 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an array of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokenizer %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the conversation was written by a newer version of the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the vocabularies have different sizes: %1 and %2 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no model or no text to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the text has %1 tokens, too few for a window of %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tokens cannot be removed: the context is shorter</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>a $ref leads back to itself: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>schemas are nested too deeply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>false allows nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a schema is an object, true or false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the keyword %1 is not supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a reference to another document is not supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nothing at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a list of schemas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>schemas refer to each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a list of values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rest of the schema allows none of the values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not an object of schemas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a list of names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a required property is forbidden by additionalProperties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another part excludes this type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this type is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the list of types is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is below %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a regular expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this bound is not a number of up to %1 digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the minimum is above the maximum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a ) of the pattern has no matching (</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the groups of the pattern are nested too deeply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a { of the pattern has no matching }</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the numbers in {} of the pattern cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an anchor (%1) inside of the pattern is not supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pattern has nothing before %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a group with (?%1 in the pattern is not supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a ( of the pattern has no matching )</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pattern ends in a backslash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>\%1 in the pattern is not supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a [ of the pattern has no matching ]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a character class of the pattern matches nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the byte order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>little-endian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>big-endian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the conversation is not a JSON object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the prompt has no tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a key of this name already exists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tensor of this name already exists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the type or the size of the tensor is unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its name is the hash of its content, as in the Hugging Face cache or Ollama&apos;s model store, and would no longer match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has other hard links, whose content would change too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the byte order of %1 data is unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the size of the picture is invalid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of bins is invalid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the reference is not one of the models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the saved state belongs to another model or is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a valid RoPE base or scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE scaling %1 cannot be selected: it needs factors from the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this alternative of oneOf may overlap with the one at %1; use anyOf to allow this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none of the alternatives can match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>minItems exceeds the number of described items</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a range in a character class of the pattern is invalid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes of header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GGUF has no tensor type %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights of the tensor are not stored in order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the value is not a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a part of its description occurs twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data type %1 is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its data type, shape or position is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its shape gives no size: it overflows 64 bits, or is not a number of whole bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>its data have %1 bytes, but its shape needs %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>its data overlap those of another tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its data do not begin where those of the tensor before them end</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes follow the last tensor</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the folder contains no model</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the folder contains %1 models: choose one of its files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is %2, with which no model can be run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has values with which no model can be run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a file that tensors are imported from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file that was opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a copy of an interrupted file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the archive ends without the list of its entries: it is incomplete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the list of the archive&apos;s entries is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of the entry &quot;%1&quot; could lead out of the archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the archive has two entries named %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the archive has no entry %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the entry %1 is compressed or encrypted, which checkpoints never are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the two descriptions of the entry %1 in the archive disagree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pickle has the unknown opcode %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an opcode of the pickle lacks the values that it needs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a frame of the pickle is longer than the pickle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number of the pickle is invalid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not the layout of a known family of models (LLaMA, GPT-2, GPT-J, GPT-NeoX, MPT, Whisper), or it is damaged near its beginning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one of its dimensions is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a valid protobuf message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it describes no tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the entry %1 is a link or a device and not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header of an entry of the archive is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the entry %1 has %2 bytes, more than the rest of the archive (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it contains no graph, and thus no tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the manifest names no file of a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pieces are too large to be opened as one, because their sizes are not multiples of a memory page: join them with `gufo-cli merge`</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header would have %1 bytes, and the format allows %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>config.json does not name the class of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>models of the class %1 cannot be converted; those of these classes can: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensors without a place in the converted model (%1): %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the experts are incomplete: %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>config.json does not state %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the operation %1 does not fit the shape %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its quantisation cannot be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor %1 is missing beside it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not the address of a file or a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its scheme is %1, and only https is used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without encryption (http), %1 is only contacted if you allow it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it contains a user name or a password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it redirects more than %1 times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it redirects to %1 without encryption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no host of this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server closed the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network is not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the proxy does not work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it sends is not HTTP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection failed with the error %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has more than %1 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ended after %1 of %2 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server does not send parts of files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not state the size of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it states a size of %1 bytes; the limit is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>converting files of the family %1 is not supported: they lack what programs need to run them as GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is not a LoRA adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the configuration of the base model is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a GGUF adapter cannot express what adapter_config.json asks for: %1 = %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the adapter contains tensors that are not pairs of LoRA factors (%1): %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the adapter is made for the architecture %1, the base model has %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the repository has %1 models, so that one must be named: %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>a file of this name already exists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server does not state the SHA-256 of the file; parts of it can be compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors have another name, type, shape or place in the file on the server: %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the model consists of %1 files here and of %2 on the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file on the server has another format, version or byte order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runtimes have no place for this bias, and it is not zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this build of Gufo has no support for it, because it was built without the headers of libllama</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program that runs it belongs to another version of Gufo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>libllama is not installed (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version %1 of libllama is not known; this build of Gufo knows %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version %1 of libllama lacks functions: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in version %1 of libllama, %2 has %3 bytes instead of %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the library refuses the model or these settings: &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the library has no back end for other machines (RPC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the library could not evaluate the tokens: &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory (&quot;%1&quot;)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the library computed logits that are not numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it reads models from GGUF files on this computer only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no weight_map, which states the file of each tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its name, or the target of the link that it is, lies outside of the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a server elsewhere redirects to %1, which is in a private network or on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no server accepts connections there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server sent hardly any data for %1 seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is encoded as %1, although unencoded bytes were requested</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is another part of the file (%2) than the one requested (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not follow the interface of this server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights of %1 differ in the file on the server: only the whole file can be updated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slices of this tensor in the %1 files of the model do not fit together, or one is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the operation %1 on the matrix cannot be applied to its two factors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process was ended by signal %1, so the model has to be loaded again; its last output: &quot;%2&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process ended with code %1, so the model has to be loaded again; its last output: &quot;%2&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process did not respond for %1 seconds and was ended, so the model has to be loaded again; its last output: &quot;%2&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process did not stop within %1 seconds and was ended, so the model has to be loaded again; its last output: &quot;%2&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process broke the protocol and was ended; its last output: &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data of the tensor is not complete in the other file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the messages of the conversation are damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its data ends before it begins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process was ended by signal %1, so the model has to be loaded again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process ended with code %1, so the model has to be loaded again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process did not respond for %1 seconds and was ended, so the model has to be loaded again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process did not stop within %1 seconds and was ended, so the model has to be loaded again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process broke the protocol and was ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>well-formed YAML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of an anchor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part %1 of %2 is missing (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part %1 of %2 is empty (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part %1 of %2 cannot be read (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part %1 of %2 is outside of the folder and was not opened (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part %1 of %2 does not belong to the others (%3): %4 is %6 and should be %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part %1 of %2 does not belong to the others (%3): %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is part %3 of %2, but its name does not say so, and the other parts cannot be found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part %1 of %2 lacks the tensor %4 (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parts %2 and %3 of %4 both contain the tensor %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its parts contain %2 tensors, but %1 are announced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%2 is %1 there and %3 in the other parts, as in another quantisation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%2 has the shape %1 there and %3 in the other parts, as in another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its tensors, such as %1, are named like those of another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this file is open here and cannot be replaced: choose another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of this file is the hash of its content, as in the Hugging Face cache or Ollama&apos;s model store, and would no longer match: choose another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>none of the %1 entries of the importance matrix, such as %2, is for a tensor of the model: it belongs to another model</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>&quot;%1&quot; matches no tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; matches only tensors that are not quantised, such as %2; to change one anyway, write its full name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has no output tensor, so a type for it has no effect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has no token embedding, so a type for it has no effect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this cannot be guaranteed for these elements: they could be written in several ways, or there may be too few different ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no value satisfies all restrictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>values that violate %1 cannot be generated, as not, if and oneOf would need here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>multiples of this number are not supported together with the other restrictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a multiple needs a positive number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a format is a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an exclusive bound is a number; true and false belong to draft 4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is neither true nor false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parts of the schema, with everything that follows from references and alternatives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is too large to be checked, perhaps together with other restrictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a text that is not empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number of at least %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes of a tensor that repeats what is stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a collection of values (length %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the repository lacks %1 shards of the model, such as part %2 of %3</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>magic number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length of the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length of the value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type of the value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type of the elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length of the element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length of the name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dimension</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type of the tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>offset of the data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length of the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>member of the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>syntax of the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hyper-parameter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>record of the tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>header of the archive&apos;s entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes of the archive&apos;s entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>directory of the archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opcode of the pickle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>field of the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>header of row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of the block from weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>packed bits of the block from weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data of the tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes without a meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>damage: what follows cannot be told</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>A key has no name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name of this key is empty; runtimes refuse the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two keys have the same name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 occurs more than once; the first one counts here, and runtimes refuse the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete one of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name of a key is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its name takes %1 bytes; the specification allows 65,535.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name of a key is not text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The bytes of the name are not valid UTF-8.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unusual key name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the key if nothing reads it by this name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A boolean is neither 0 nor 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stored byte is %1; it is read as true.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the value again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The alignment has the wrong type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>general.alignment is of type %1 and must be u32; 32 is used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Store it as u32.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The alignment is 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>general.alignment must be a multiple of 8; 32 is used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set general.alignment to 32.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save with an alignment of 32.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>general.alignment is %1; the specification asks for a multiple of 8.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The alignment is very large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>general.alignment is %1 bytes; most of the file may be padding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor has no name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name of this tensor is empty; runtimes refuse the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the tensor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name of a tensor is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its name takes %1 bytes; runtimes refuse 64 and more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name of a tensor is not text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two tensors have the same name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 occurs more than once; runtimes refuse the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename or delete one of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More than four dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The size of a tensor overflows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shape %1 has more weights or bytes than 64 bits can count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tensor list is damaged: fetch the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown tensor type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A newer version of the program may know it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor type that runtimes no longer read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was removed from ggml.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantise the model again, or use the runtime it was made for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor type of ik_llama.cpp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type %2 is %1 in ik_llama.cpp; other runtimes refuse it, and forks use the same number for other types.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A row is not a whole number of blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>A row of %1 weights cannot be stored as %3, whose blocks hold %2.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>A tensor is not aligned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors are not packed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This tensor starts at offset %1, where runtimes expect %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its bytes overlap those of %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor is cut off</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The last %1 bytes of its data lie past the end of the file.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The download or copy is incomplete: fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor data is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The file ends too early: %1 tensors lack %2 bytes in all.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Bytes after the last tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes follow the end of the tensor data and belong to nothing.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Padding is not zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes between header and tensors are not zero.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>A draft of GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file follows a draft of version 1 that no runtime reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert it to version 3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A value type newer than the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert the file to version 3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A dimension is negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The size of a tensor is a guess</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last tensor is not padded</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The file ends %1 bytes before the next multiple of the alignment; some runtimes refuse it.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Big-endian before version 3</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 further findings of the kind %2 are not listed.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>A shard is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, part %2 of %3, is not in the folder; its tensors are not shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put all parts into one folder and open the model again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A shard cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch this part again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A shard does not belong to the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 is %4 and should be %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch all parts from the same place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A shard under another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give all parts their names back, such as model-00001-of-00003.gguf.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors are missing from the set</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The parts hold %2 of the %1 tensors that are announced.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Fetch the missing parts again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A special token does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The value is %1, but ids go from 0 to below %2; the model is treated as having no such token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the id of a token that exists, or delete the key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown pre-tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pre-tokenizer is named</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert the model again, or add the key if you know its value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A required key is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has no %1; runtimes refuse it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the key with the value of the original model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A standard key is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the key if the original model has another value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A value has the wrong type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its type is %2 and should be %1; runtimes refuse the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the type of the value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A value has an unusual type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An older name of a key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is written as %2 today; newer programs may not read the older name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An unknown value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set it to the value of the original model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads cannot be grouped</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 query heads cannot share %2 key and value heads evenly.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Set both to the values of the original model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The width cannot be split into heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotary dimensions do not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 dimensions cannot be rotated in pairs in a head of %2.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Set rope.dimension_count to the value of the original model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers of experts do not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 experts are used of %2.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>An array does not match the blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>It has %1 values for %2 blocks.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Give it one value for each block.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number is not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is infinite or not a number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The quantisation version is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add general.quantization_version with the value 2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file type contradicts the tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>general.file_type says %1, but %3 of the weights are %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file type that runtimes no longer read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file type %1 was removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor names outside the convention</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The names of %1 tensors are not known, this one among them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The token embedding is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tensor is named token_embd.weight; the model cannot be run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is incomplete: fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shape of a tensor does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dimension %1 is %3; by the hyper-parameters it should be %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A key or the tensor is wrong: compare with the original model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding and vocabulary differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The tensor has rows for %1 tokens, the vocabulary has %2.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Convert the model again with its own tokenizer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vocabulary has another size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vocab_size is %1, but the number of tokens in the vocabulary is %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set vocab_size to the number of tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor lacks its partner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks are missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %3 blocks have no tensors; the first is block %2.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>More blocks than announced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors reach block %1, but the number of blocks is %2; the others are not used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set block_count to the number of blocks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A block is incomplete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 lacks tensors that the other blocks have (%3): %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights are not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 weights are not numbers and %2 are infinite; the first is weight %3.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The data is damaged: fetch the file again, or quantise it again from a sound one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All weights are zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every weight of this tensor is zero.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If the original is not zero, the download has a hole: fetch the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some weights were not checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The values of %1 tensors cannot be read.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>There is no tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has no vocabulary; it cannot be used for text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert the model again with its tokenizer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tokens are missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file names a tokenizer but has no list of tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vocabulary is huge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The merges are missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This kind of tokenizer needs tokenizer.ggml.merges; runtimes refuse the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merges of unknown tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 merges name tokens that the vocabulary lacks; the first is %2.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Lists of tokens differ in length</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 has %2 elements for %3 tokens.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Set its type to CONTROL.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Padding ends the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Padding and end of text are the same token, %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens are not text</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The bytes of %1 tokens are not valid UTF-8; this is the first.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>A token occurs twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is also token %2; text is always read as one of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the unused one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown token type</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 tokens look like control tokens but have the type of text; the first is %2.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Set their type to CONTROL.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tokenizer.chat_template from the original model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A chat template cannot be rendered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat template uses an unknown token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the template of this model, or add the token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not follow the naming convention BaseName-SizeLabel-FineTune-Version-Encoding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name says %1, but most weights are %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the file, or check whether it is the right one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The size label does not match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The label says %1, but the tensors have %2 weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the split keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of a part is too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>split.no is %1 of %2 parts; the first is 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the repetitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Store it as true</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the alignment to 32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop these bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write version 3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the file type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match the tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make it a control token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set its type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make them control tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the split keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not consist of lower-case words joined by underscores and dots, as the specification requires.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The alignment is not a power of two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The alignment is not a multiple of 8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tensor has %1 dimensions; runtimes support at most 4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type %1 is unknown; its bytes can be shown, but not its values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its offset %1 is not a multiple of the alignment %2; runtimes refuse the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type %1 was added after version %2; readers of that version stop here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shape %1 contains a number beyond 2^63, which runtimes read as negative.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Its type does not determine its size; the %1 bytes up to the next tensor are shown.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Version %1 supports only little-endian files; runtimes refuse this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pre-tokenizer %1 is unknown; the default rule is used, and token ids may differ from those the model was trained with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The default rule is used, and token ids may differ from those the model was trained with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The specification requires %1 for models of the architecture %2; runtimes use a default instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its type is %2; the specification requires %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not in the catalogue, so the requirements of its models cannot be checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a known value of this key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A width of %1 is not a multiple of %2 heads, and no head length is given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files with quantised tensors must have the key general.quantization_version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set general.file_type to the type of the tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is missing; neither can be used without the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is incomplete: convert or fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a known tokenizer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has %1 tokens; they were not checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A special token has the type of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token %1, %2, has the type NORMAL; runtimes may print it or not stop at it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is common for models trained without padding; fine-tuning should use another token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a token type.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Control tokens have the type of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name suggests a chat model, but the file does not define the format of conversations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages end with another token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat template ends a message with %1, but generation ends at %2; the model may not stop.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set tokenizer.ggml.eot_token_id or eos_token_id to the token that ends a message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file name is unconventional</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file name states another encoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A complete model is marked as a part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>split.count is %1, although the model is a single file; merging leaves this behind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A listed tensor is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The list of shards says that %1 is in %2, but it is not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch the list and the shards again, from the same version of the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor is listed twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The list of shards contains %1 more than once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch the list again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors are not listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors of the shards are not in the list of shards; other programs would not load them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>A listed file is outside of the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The list of shards names %1, which is not a file in its folder. It was not opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not use this model unless you trust its source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file beside the model cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>general.alignment is %1; common runtimes accept only powers of two.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set its type to NORMAL, or to BYTE for a token such as &lt;0x0A&gt;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its value is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first value stays, and the others are lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number in the file is replaced by the alignment with which its tensors were read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The bytes are lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model then has no such token: without an end of text, its answers may not end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of a family of mixes, such as Q4_K_S and Q4_K_M, the medium one is set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is wrong if tokens are missing from the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If the key names the wrong token, text that contains this token is then read differently.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The family of the model was recognised by its layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file does not name its family; it has the layout of %1 models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The list of tensors is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>What follows the last tensor is not a tensor; the remaining %1 bytes are not shown.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The download or copy is damaged: fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file would run code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python would call %1 when it loads this file, which can run programs or change files. Gufo calls nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not load the file with Python unless you trust its author.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file refers to unknown code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python would import %1 when it loads this file. Gufo imports nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load the file with Python only if you know what this is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file does not contain the storage %1, or it is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor reaches outside of its storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>It ends after %1 bytes of a storage of %2 bytes.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The file is damaged: fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor is not described as usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not shown, because its type, shape or strides cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has too many nested values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values that are nested very deeply, contain themselves or are too many are not shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files contain slices of the same tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors are slices of tensors of the first file; each of the %2 files has a part of their rows or columns.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The vocabulary was extended</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The tokenizer has %1 tokens, but the model has %2 rows for them. The others became unused tokens.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The vocabulary was cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The tokenizer has %1 tokens, but the model has only %2 rows for them. The last tokens were left out.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Check that the tokenizer belongs to the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An added token was left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model has rows for %2 tokens only, so there is none for %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An added token replaces another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tokenizer has %1 at this id, and its configuration has %2, which was used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pre-tokenizer has no exact equivalent</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The rule %1 is the nearest one that runtimes know; it splits %2 of the %3 words of a check text differently.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Compare token ids with those of the original tokenizer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pre-tokenizer could not be verified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its regular expressions cannot be evaluated here; the rule %1 is used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shards disagree about a key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is &quot;%3&quot; in %2 and &quot;%5&quot; in %4. The first is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch all parts from the same place, or give the key a new value, which every part that has it gets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values beyond the tokens are lost. Missing types are inferred from the spelling of the tokens, and missing scores become 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The type is inferred from the spelling of the token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are chosen by their spelling. Text that contains them is then read differently.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data of a tensor is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further findings are not listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only one file of the folder was opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 was opened. %2 subfolders contain models, too, such as %3.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Open a subfolder by itself if you meant the model in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor type with two meanings</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors (%4 is the first) have type %2, which is %3 in ggml, but their sizes are not those of %3: another program uses the number for a type of its own. Their bytes are shown and kept, but not their values.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Run the file with the program it was made for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as a new file, whose offsets are packed and aligned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as a new file, whose offsets are packed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as a new file to clear them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as a new file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file contains no tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It consists of %1, without any tensor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not a model: look for the file with the weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor repeats its numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of its %1 weights, the file stores %2 and repeats them; its values are not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A shard is of another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is part %3 of %2, but its name does not say so; the other parts cannot be found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder has weights that were not used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights are those of %1; ignored: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open an ignored file by itself if you meant that one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model has this value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The value is %1; it must be %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A value does not fit the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model can be run with the value %1 beside the other values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors are missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file lacks what every %2 model has: %1. Engines refuse it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is incomplete, or its tensors have other names: convert or fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors that the architecture does not have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No %2 model has these: %1. Engines refuse the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give them the names that the architecture expects, or delete them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct it, or load the one that the original model came with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, in line %2, is not in the vocabulary: the model would read it as text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat template has \n outside of its tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In line %1, it has a backslash and an n where only a line break begins a new line; prompts contain both characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace them by line breaks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat template is in quotation marks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It begins and ends with %1, as if it were copied from a JSON file, and each prompt does so, too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the quotation marks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A chat template is listed, but missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The list of templates names %1, but the file has no such template.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove it from tokenizer.chat_templates, or add the template.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat template does not show how tools are called</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It shows tools to the model, but drops the calls of earlier answers, so that calls cannot be told from text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the template of the original model, or another one of its family.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool calls have no marker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat template writes a call without a marker before it: an answer is taken for a call if tools were given and it begins like one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The intention is inferred: check what it renders.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes the place of the first token that is reserved or unused. A model that was not trained with it does not know what it means.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace by line breaks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is wrong where the template shows the model how to write \n.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the quotation marks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The value is −1, which some programs write for &quot;no such token&quot;; the model is treated as having none.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Formats</name>
    <message>
        <source>GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a Git LFS pointer, which stands for the model until `git lfs pull` fetches it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a GGML file, from before GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a GGMF file, from before GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a GGJT file, from before GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a GGLA adapter, from before GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a PyTorch checkpoint (ZIP)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a ZIP archive, perhaps a PyTorch checkpoint or NumPy arrays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an HDF5 file, perhaps a Keras model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a NumPy array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a TensorFlow Lite model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tar archive, perhaps an old PyTorch checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compressed with gzip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compressed with Zstandard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compressed with xz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compressed with bzip2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compressed with LZ4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a 7-Zip archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>safetensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a PyTorch checkpoint (from before version 1.6)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a Python pickle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an ONNX model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON text, perhaps a server&apos;s error message or a model&apos;s configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plain text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a GGUF file whose saving was interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a web page: the download fetched a page about the file instead of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an XML document: the download fetched a server&apos;s reply instead of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list of the files of a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a voice activity detector of whisper.cpp (Silero), not a language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an unfinished download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a safetensors file whose saving was interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a PyTorch checkpoint (tar, from before version 0.1.10)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a manifest of Ollama</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a server&apos;s error message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Architecture that the model implements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of the quantisation formats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alignment of tensor data in bytes, 32 if absent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of file: model, adapter, imatrix, mmproj</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type that most tensors have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Author of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Organisation that made the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base name, without size and version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the base model was tuned for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who quantised the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size class, such as 7B or 8x7B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence as an SPDX expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of the licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home page of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digital object identifier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Universally unique identifier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repository of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Languages, two-letter codes of ISO 639</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data sets of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hash of the tensor data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order of the samplers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability mass that top-p keeps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smallest probability relative to the best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of Mirostat, 0 for none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate of Mirostat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home page of the source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digital object identifier of the source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Identifier of the source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repository of the source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repository of the source on Hugging Face</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of base models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of a base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Author of a base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of a base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Organisation of a base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Description of a base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home page of a base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digital object identifier of a base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Identifier of a base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repository of a base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of data sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Author of a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Organisation of a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Description of a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home page of a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digital object identifier of a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Identifier of a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repository of a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the residual stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the output embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the input features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How tensor data was rearranged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts used for each token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts used for every token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups that experts are chosen from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups used for each token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts in a group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of an expert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the shared experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of a chunk expert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the experts&apos; compressed input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of each branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sparsity of the activations of each block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Active stream of the alternating updates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Streams of the alternating updates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit of the experts&apos; activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit of the shared experts&apos; activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token that starts the decoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of blocks of the decoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input width of the first dense layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output width of the first dense layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input width of the second dense layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output width of the second dense layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names of the classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of the architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the time mix&apos;s interpolation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the time mix&apos;s decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token shifts in a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of a head of the time mix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of a head of linear attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taps of the short convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the position network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of the position network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the ConvNeXt network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of the ConvNeXt network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context of the encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of blocks of the encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heads of the encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context of the decoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the decoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heads of the decoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mel bands of the input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key and value heads; fewer than heads in grouped-query attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of a key head; width over heads if absent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of a value head; width over heads if absent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of a key head in blocks with a window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of a value head in blocks with a window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of an expanded key head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of an expanded value head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epsilon of layer norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epsilon of RMS norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epsilon of group norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups of group norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the compressed query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the compressed key and value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the value residual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the gate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buckets of relative positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which blocks are recurrent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of attention scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of the attention output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads of the indexer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the indexer&apos;s keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens that the indexer chooses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dimensions of a head that are rotated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotated dimensions in blocks with a window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dimensions for time, height, width and more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base of the rotation frequencies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base of the frequencies in blocks with a window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base of the frequencies in local blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Growth of the base with the context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>YaRN: multiplier of the logarithm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>YaRN: factor of attention scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the state space&apos;s input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>States for each channel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the time step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups of channels that share matrices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of step, input and output matrices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>xIELU: slope of the positive side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>xIELU: slope of the negative side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>xIELU: linear part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>xIELU: lower limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How text is split before merging</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vocabulary, by id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of each token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of segment types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score of each token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens added after training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: end of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: end of turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: end of message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: separator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: fill-in: before the gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: fill-in: after the gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: fill-in: the gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: fill-in: padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: fill-in: repository</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: fill-in: file separator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token ids: all that end the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token ids that are never generated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeated spaces are dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled normalisation of characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text is made lower case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole tokenizer.json of Hugging Face</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole vocabulary of RWKV World</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template of conversations (Jinja)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template of conversations for a purpose (Jinja)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names of the further templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of this part, from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors in all parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strength of the adapter: alpha over rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task of the adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text that the adapter expects first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance matrix that quantisation used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text that the importance matrix was made from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors in the importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks of text in the importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Texts that the importance matrix was made from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens in a chunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of the training file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iterations so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of an adapter in training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of optimiser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of the optimiser&apos;s state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Has an image encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Has an audio encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Has a text encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Has a projector as in LLaVA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activation is GELU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activation is SiLU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of MiniCPM-V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queries of the resampler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of projector for images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of the input image in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewest pixels of an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most pixels of an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewest tiles of an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most tiles of an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of a tile in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of a patch in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the image encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the encoder&apos;s feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width after the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of the image encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of each colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deviation of each colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patches joined along a side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks whose features go to the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of an attention window in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heads of the image encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key and value heads of the image encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epsilon of the encoder&apos;s norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patches that the projector joins along a side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks whose output is used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How tiles of an image are joined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resolutions of tiled images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side of a crop in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of the SAM encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the SAM encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heads of the SAM encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of projector for audio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mel bands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the audio encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of the audio encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heads of the audio encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames that the projector joins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context of the text encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the text encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the text encoder&apos;s feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of the text encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width after the text projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention heads of the text encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epsilon of the text encoder&apos;s norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model as a whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the file was made from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the file was made from, on Hugging Face</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models that this one is based on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One of the base models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One of the data sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hyper-parameters of the architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotary positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Diffusion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotary positions of local blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State spaces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix of RWKV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Short convolutions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alternating updates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classifier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ConvNeXt network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention of the encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention of the decoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention of the image encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SAM encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Audio encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention of the audio encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention of the text encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokenizer and chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Normalisation of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokenizer of Hugging Face</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokenizer of RWKV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further chat templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary, as the draft of version 1 had it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of a model in several files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors of all parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter of a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Low-rank adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activated low-rank adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the file was quantised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State of a training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter in training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks of an adapter in training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State of the optimiser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>xIELU activation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gufo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activation function of the feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Display name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free-form description</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Display name of the licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search keywords</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of candidates that top-k keeps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability that XTC removes top candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability threshold of XTC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of recent tokens that the repetition penalty considers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target surprise of Mirostat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of tokens in the vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained context length in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the per-block embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of leading blocks without experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention and feed-forward run in parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of the selected experts are normalised to a sum of 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Function that converts expert scores to weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interval of the blocks with experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of blocks that predict additional tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of blocks that receive image features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interval of the blocks with full attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How token embeddings are pooled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Soft cap of attention scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Soft cap of the logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Soft cap of the router&apos;s scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Normalise queries and keys as in Swin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interval of blocks after which the residual stream is halved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens attend only to earlier tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention has its own norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the in-context learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window size of sliding-window attention in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which blocks use a window, or the interval of those that do not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunk size of chunked attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of final blocks that reuse keys and values of earlier ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context length from which attention temperature is scaled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strength of the attention temperature scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scaling factor of positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position scaling: none, linear, yarn, longrope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of attention scores with scaled positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context length before scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained with the scaled positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>YaRN: extrapolation factor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>YaRN: rotations above which frequencies are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>YaRN: rotations below which frequencies are interpolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logits belong to the preceding token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge rules of byte-pair encoding, in order of rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: beginning of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token id: unknown text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the beginning-of-text token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the end-of-text token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a separator token between texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a space at the beginning of a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens that activate the adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reserved space, so that later edits need not move the weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interval of the blocks that attend to the whole image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks that attend to the whole image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling settings recommended by the authors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selection of the tokens for sparse attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scaling of positions for longer contexts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Audio projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the groups&apos; scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the experts&apos; weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the token embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum bias of ALiBi</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clamp of queries, keys and values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames stacked into one</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Pairing</name>
    <message>
        <source>a file of the kind &quot;%1&quot; and one of the kind &quot;%2&quot; are not used together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model, and a projector, an adapter, an importance matrix or a draft model for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not complete: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put all parts into one folder, under the names that they were given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the adapter cannot be applied: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the adapter for this model, or the model that it was trained for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it changes %1 matrices, with a rank of up to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of its %2 matrices do not fit; the first is %3: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the adapter has no matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert the adapter again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the projector (%1) writes embeddings of %2 elements, as the model reads them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the projector writes embeddings of %1 elements, but the model reads %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the projector that was published with this size of the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the width that a projector of the type %1 writes is not known, so it was not compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take both files from one repository.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a projector of the type %1 belongs to models of the architecture %2, and this is %3; answers about pictures would be nonsense</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the projector that was published with the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model&apos;s vocabulary has no token %1, which stands before or after a picture, so that it becomes plain text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take a model that was trained with pictures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all %1 entries of the importance matrix are for tensors of the model, and none is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the importance matrix cannot be used: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure it again: gufo-cli imatrix MODEL TEXT -o OUT.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no entry of the importance matrix is for a tensor of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure it with this model: gufo-cli imatrix MODEL TEXT -o OUT.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>entries whose tensor has another shape: %1, the first is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensors without an entry, which would be quantised without importance: %1, the first is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure it with the same conversion of the model, or with a longer text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>entries without a tensor, which are ignored: %1, the first is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>entries without values, because no token reached their tensors: %1, the first is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure it with a longer text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all %1 token ids that both have mean the same text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no vocabulary that can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert the model again, with its tokenizer files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token %1 is &quot;%2&quot; in the first model and &quot;%3&quot; in the second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take models with the same tokenizer: a smaller model of the same family, or one that was made to draft for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the vocabularies have %1 and %2 tokens; ids that only the longer one has are never drafted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is %2 in the first model and %3 in the second; the text that both evaluate follows the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the key in the second model as in the first: gufo-cli set FILE KEY=VALUE.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both models have about as many weights, so drafting with one for the other gains nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take a smaller model to draft.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds %1 blocks of multi-token prediction of the model&apos;s architecture and width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the prediction blocks are of the architecture %1, and the model is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the blocks that were published with the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the prediction blocks have a width of %1 elements, and the model one of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the blocks that were published with this size of the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has %2 tokens, but its token embeddings have %3 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert the model again, with the tokenizer that belongs to it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Recipes</name>
    <message>
        <source>16-bit floats with the range of F32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>16-bit floats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>6.6 bits per weight; very close to the original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>6 bits per weight; older, Q5_K_M is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5.5 bits per weight, more for sensitive tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5.5 bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5.5 bits per weight; older, Q5_K_S is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5 bits per weight; older, Q4_K_M is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4.5 bits per weight, more for sensitive tensors; the usual choice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4.5 bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4.5 bits per weight; older, fast on many processors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>experts in 4.25 bits per weight, the rest in Q8_0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3.4 bits per weight, many more for sensitive tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3.4 bits per weight, more for sensitive tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3.4 bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>32-bit floats: no loss, but no reduction in size either</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8.5 bits per weight; practically indistinguishable from the original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4.5 bits per weight on non-uniform levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4.25 bits per weight on non-uniform levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2.6 bits per weight, more for sensitive tensors; high loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2.6 bits per weight; high loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; has no effect, because earlier patterns decide about all tensors it matches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors that are usually not quantised change their type (%1). Other programs may be unable to run the file.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The importance matrix has no effect on any tensor of this file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors are quantised without importance, because the importance matrix has no values for them: %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The importance matrix has no values for some experts of %n tensors: %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Roles</name>
    <message>
        <source>Token embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding of segment types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned position embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm after the token embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token embedding for each block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection to the embeddings of the blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the embeddings of the blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection to alternating-update streams</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factors of RoPE frequencies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE factors for long contexts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE factors for short contexts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding of the class token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding of image patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the patch embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the position embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before the encoder&apos;s blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding that ends a row of an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding between views of an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding that ends a row of patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding that begins an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding that ends an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offset of the input standardisation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the input standardisation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolution of the stem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch norm of the stem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding to logits of audio codes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mel filter bank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window of the Fourier transform</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolution over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm after the convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolution over time and frequency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output of the convolutions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection of the input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second norm before attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query, compressing half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the compressed query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the query heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key and value, compressing half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the compressed key and value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key and value, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the key heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query, key and value in one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotary frequencies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative position bias</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative position keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention sinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate of the attention output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before the attention output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm after attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the attention output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of each query dimension</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of each key dimension</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection of relative positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Content bias of relative positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position bias of relative positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative positions by height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative positions by width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query, key and value for images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention output for images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the indexer&apos;s keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of the indexer&apos;s heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys of the indexer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queries of the indexer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before cross-attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query of cross-attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key of cross-attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value of cross-attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative position bias of cross-attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output of cross-attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the attention branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: input projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: short convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention: convolution of queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention: convolution of keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention: convolution of values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: step, input and output matrices from the input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention: beta and alpha</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention: alpha</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention: beta</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention: forget gate, compressing half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention: forget gate, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention: output gate, compressing half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear attention: output gate, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: norm of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: norm of the input matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: norm of the output matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: time step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: skip connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: norm before the output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State space: output projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Short convolution: input projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Short convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Short convolution: output projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: interpolation of the input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: interpolation for the decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: interpolation for the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: interpolation for the value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: interpolation for the receptance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: interpolation for the gate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: all interpolations in one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: base of the decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: low-rank pair, compressing half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: low-rank pair, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: base of the learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: learning rate, compressing half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: learning rate, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: base of the value residual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: value residual, compressing half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: value residual, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: gate, compressing half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: gate, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: scale of the removal key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: scale of the replacement key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: decay, compressing half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: decay, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: receptance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: gate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: group norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Channel mix: interpolation for the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Channel mix: interpolation for the receptance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Channel mix: key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Channel mix: value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Channel mix: receptance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before the experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second norm before feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scales of the activation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before the down projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Router that chooses the experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bias of the router, for balance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compression before the experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate of all experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up of all experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate and up of all experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Down of all experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expansion after the experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate of the shared expert&apos;s output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate of the shared experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up of the shared experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Down of the shared experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate of the chunk experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up of the chunk experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Down of the chunk experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate for images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up for images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Down for images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the feed-forward output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the dense feed-forward output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the experts&apos; output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the feed-forward branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before the second feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate of the second feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up of the second feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Down of the second feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the second feed-forward&apos;s output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the second feed-forward branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm at the end of the block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale at the end of the block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alternating update: norm of the router</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alternating update: router</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alternating update: prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alternating update: correction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alternating update: scale of the correction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned residual, compressing half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned residual, expanding half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the learned residual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate of the block&apos;s own embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection of the block&apos;s own embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the block&apos;s own embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next tokens: embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next tokens: norm of the embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next tokens: norm of the hidden state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next tokens: projection of both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next tokens: norm before the head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next tokens: head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm at the start of the block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before the convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First pointwise convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depthwise convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of the convolution&apos;s batch norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variance of the convolution&apos;s batch norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second pointwise convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First layer of the projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second layer of the projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolution after the encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer of the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position generator of the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before the output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection from alternating-update streams</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output: embedding to logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First dense layer of the embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second dense layer of the embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classifier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the classifier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output of the classifier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm after the encoder&apos;s blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second convolution after the encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Third convolution after the encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fusion of scales: expansion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fusion of scales: norm of the expansion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fusion of scales: projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fusion of scales: norm of the projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fusion of scales: norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm before the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm inside the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm after the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm after the projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of embeddings from the encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of embeddings of special tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding of special tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Joins neighbouring patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gate of the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up of the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Down of the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned queries of the resampler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Positions of the resampler&apos;s keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input of the resampler&apos;s keys and values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the resampler&apos;s queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the resampler&apos;s keys and values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query of the resampler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key of the resampler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value of the resampler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention output of the resampler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm after the resampler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection of the resampler</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time mix: bonus of the current token</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::DifferenceText</name>
    <message>
        <source>added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renamed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of the format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Byte order</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n of %1 elements differ, first at %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 shorter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes after the last tensor</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ErrorText</name>
    <message>
        <source>there is no such file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may have been moved, renamed or deleted, or its drive is not connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask its owner for read permission, or copy it to a folder of your own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is a folder, not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model file inside it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is a pipe, socket or device, not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models are mapped into memory and need a regular file: save the stream to disk first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the drive or the network connection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the free space and the permissions of the folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be mapped into memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file system may not support it: copy the file to a local disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program shortened or removed it while it was being read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it again when the other program has finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A download may have failed: fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a model file: it starts with the bytes %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A GGUF file starts with 47 47 55 46. Check that this is the right file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not an importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose what llama-imatrix wrote for this model: a GGUF file with in_sum2 tensors, or a .dat file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The download or copy is incomplete: fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The header is damaged: fetch the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>it claims a string of %2 bytes for %1, more than fit in the rest of the file (bytes left: %3)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the value has the unknown type %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What follows it cannot be read. The file is damaged, or newer than this program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>it claims an array of %1 elements, more than fit in the rest of the file (bytes left: %2)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No known program writes this: the file is damaged or hostile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tensor list is damaged: fetch the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no key %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no tensor %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The metadata and the tensors contradict each other: convert the model again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the vocabulary has %1 tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>it has no element %1: the number of its elements is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line %2, column %3: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>it has %1 elements, but %2 has %3</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The vocabulary is damaged: convert or fetch the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>values of the type %1 cannot be decoded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its bytes can be shown and exported as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights cannot be written as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another type.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a weight is %2, which %1 cannot hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep this tensor as F32, or check whether the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not possible: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine cannot run it: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a shorter context or a smaller KV cache type, or close other programs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program changed it since it was opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it again, and make the changes there; or save them under another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save under another name, or ask explicitly for editing in place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change its permissions, or save under another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save under another name in a folder of your own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a new file in its place could not keep its owner, permissions and attributes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save under another name, or ask its owner to save it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another process is saving it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again when the other process has finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free some space, or save on another disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be saved by %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the strategy be chosen automatically.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes of the tensor are missing in the file</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The file is truncated: fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor bytes differ after saving: their hash was %1 and is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk or the memory may be failing: restore the file from a copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the journal back beside the file, under that name, and open the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the journal %1 of an interrupted save is damaged; nothing was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore the file from a copy, then delete the journal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the journal %1 beside it belongs to another file or an older state; nothing was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file name %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>byte %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is %1, which cannot be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch the model as GGUF, or convert it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert it to GGUF, and change that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>you do not have permission to read this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is %1, which can be read, but not changed or written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it declares %2 %1, more than fit in the rest of the file (bytes left: %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tensor declares %1 dimensions; the limit is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has %2 %1; the limit is %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its shape is %1, but the model needs %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the value should be %1, but is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is already quantised as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantise the model in F32, F16 or BF16 instead, or allow requantising, which loses more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not support some tensors of the model: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without them, its answers would differ from the model&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running it needs %1 of memory besides the weights, but only %2 are free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the JSON schema is not supported at %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it should not be edited in place, because %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>you do not have permission to write this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saving needs to create files in its folder, but you do not have permission to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are needed on the disk, but only %2 are free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a save was interrupted, and its journal %1 is missing from the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If the file was replaced by a complete one, delete the journal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version %1 of its format is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file may be damaged, or newer than this program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>values are nested more than %1 deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is damaged: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch or write the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>it ends before the end of %1: %2 bytes are needed, %3 are left</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%2 bytes are needed from byte %1 on, but the file ends at byte %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program changed it since tensors were imported from it; nothing was saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import the tensors again from the file as it is now, or revert their import; then save.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was copied or moved in the middle of a save, together with its journal %1; nothing was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the journal, the only way back to the old file, and have the copy recovered: in the window, or by gufo-cli recover FILE --moved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is a Git LFS pointer, which stands for a file of %1 with the hash %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run `git lfs pull` in its folder, or download the file from the page of the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is the unfinished download of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the program that downloads it finish, or start the download again, and open the result.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address and whether the model needs a login, and download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a piece of %2, of which the piece %1 is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put all pieces into one folder, and open any of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an error without a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this address is not used: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no connection with %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the network connection and the address, and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the identity of %1 could not be verified, so nothing was sent: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address and the clock and certificates of this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server replied with status %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the reply of the server cannot be used: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file on the server has changed in the meantime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open or download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server has no file for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the page of the model in a browser to see which files it has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its SHA-256 should be %1, but is %2, so it is not the file that the server describes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may be private, or its terms have to be accepted on its page. Give an access token of that account, for Hugging Face in HF_TOKEN.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address: the server has no such file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server wants fewer requests: try again later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server has a problem: try again later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a model, but the reply of a server that did not send it: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file may be empty, or have been replaced: try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give an address that begins with https://. A model on Hugging Face is also found by its name, hf.co/OWNER/REPO:Q4_K_M.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server may be misconfigured, or not be the one that you mean. If you know where the file is, give that address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection may have been interrupted: try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use https if the server has it. To use http nevertheless, agree to it in the window (Open Address), or for gufo-cli name the host in GUFO_PLAIN_HOSTS.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove it: everyone who sees the address would know it. A token of Hugging Face belongs in HF_TOKEN.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download the file, and open it from the disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address. A large file that is not GGUF has to be downloaded before it is opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server contradicts its own list of files: try again later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something else may have replied, such as the login page of a network: check the address and the connection with a browser.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server, or a proxy on the way to it, violates HTTP. A file can be downloaded with a browser and opened from the disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model in the store of Ollama is never changed in place, because the name of its file is the hash of its content, and other models may share it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is stated by a file beside the weights, such as config.json, which Gufo does not change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change that file with a text editor, or convert the folder to GGUF, and change the key there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it under another name, which creates a separate file; with gufo-cli set, use -o OUT.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its files were opened as one model, which is not changed in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpack it, and open the model that is in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use it with whisper.cpp, which detects speech with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder for it does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create the folder, or choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is %1, of which only the metadata can be changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address: it has neither llama-server&apos;s interface nor OpenAI&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the address of a server, such as http://127.0.0.1:8080.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server, or a proxy on the way to it, violates HTTP.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It expects another key than that of --engine-key-file or GUFO_ENGINE_KEY.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs a key: give it in a file with --engine-key-file, or in the environment variable GUFO_ENGINE_KEY.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It expects another key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs a key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It redirects there: if you trust that server, give its address instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server continues no texts: chat with it instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put all parts of the same model into one folder, under the names that they were given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program changed it since it was opened; its weights can no longer be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use https if the server has it. To use http nevertheless, agree to it for this server under Open Address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use https if the server has it. To use http nevertheless, name the host in the environment variable GUFO_PLAIN_HOSTS.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove it: everyone who sees the address would know it. A key has a field of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove it: everyone who sees the address would know it. A key is given with --engine-key-file, or in the environment variable GUFO_ENGINE_KEY.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::FilterText</name>
    <message>
        <source>%1 is not a regular expression: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a regular expression without a / at its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a size: write size:&gt;10M, size:&lt;=512K or size:1M..2G</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a shape: write shape:4096x* or shape:128x64x8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: there is no field &quot;%2&quot;; the fields are size, shape and type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 lacks what it should match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All terms must hold:
attn_q, blk.17, ffn_* – a part of the name
Q6_K, type:IQ* – the type
size:&gt;10M, size:1M..2G – the bytes
shape:4096x* – the dimensions
/^blk\.\d+/ – a regular expression
-ffn, !type:F32 – exclude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter: name, ffn_*, -attn, Q6_K, size:&gt;10M, shape:4096x*</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::Format</name>
    <message numerus="yes">
        <source>%n bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>scalar</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ModelFiles</name>
    <message>
        <source>%1 models (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models (%1)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::SaveText</name>
    <message>
        <source>Unchanged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing has changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header is as long as before</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the header grew by %1 bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the header shrank by %1 bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>it is saved as another file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the alignment changes from %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the byte order changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensors were not packed, as runtimes require</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file system cannot insert or remove blocks in a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file system cannot share blocks between files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is too small to insert blocks in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program has the file open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file&apos;s name is too long for a journal beside it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another part of the model has to be copied, and all parts change together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing needs to be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n files of the set change.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing needed to be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By %1 in %2, %3 written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SHA-256 of all tensor data before and after: %1, equal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only the header is written; the tensor data is not moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file system inserts or removes space before the tensor data; only the header is written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a new file shares the tensor data with the old one and replaces it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a complete new file is written and replaces the old one</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the difference fits into the reserved space, of which %1 bytes remain</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>this strategy was requested</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deleting, reordering or importing tensors moves others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header did not change by a whole number of file-system blocks, and reserving space is disabled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is in %1 fragments on the disk; at most %2 can be shifted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this program is running the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file belongs to another user, so it is unknown whether another program has it open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file system does not report whether another program has the file open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header has %1 bytes; at most %2 can be changed in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can only be saved under another name: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It should be saved under another name: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving writes a new file of %1 (%2): %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The %1 of tensor data are not written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header did not change by a whole number of file-system blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n other names of the file (hard links) keep the old content.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Saving writes %1 of header in place (%2), and %3 to a journal that is then removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes about %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving writes %1 of header into a new file that shares the rest (%2): %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>what follows the last tensor changes by %1 bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The header gets %1 of reserved space, so that later edits need not move the weights.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::SpeedText</name>
    <message numerus="yes">
        <source>%n s left</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1/s, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::TemplateText</name>
    <message>
        <source>%1 is not expected here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tag ends too early.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>= assigns; to compare, write ==.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One test cannot follow another: join them with &quot;and&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not followed by the hexadecimal digits that it needs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing can be assigned to this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name of the tag is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no tag %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This %1 is never closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is never closed by %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is never closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no filter %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no test %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no function %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not supported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The template refuses this conversation: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%2 (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rendering is longer than 16 million characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs more than 400 MB of memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rendering process ended unexpectedly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program gufo-render-helper, which renders templates, could not be started. Is Gufo installed completely?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The template engine failed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The character %1 is not allowed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not supported: chat templates cannot refer to other files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is outside of the tag that it belongs to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no open block for %1 to close.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found %1, but expected %2 for the %3 in line %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The string that starts with %1 here is never closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The comment is never closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is nested too deeply or calls itself endlessly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The variable %1 is not valid JSON: line %2, column %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It did not finish within a second.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This integer has too many digits.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::Tensors</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights along each dimension, fastest first: columns × rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>σ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights in equal bins over mean ± 4σ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First byte of the tensor in its file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added: its bytes come from another file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replaced by a tensor of another file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Was called %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moved to another place</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, of which %2 are in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the weights, computed in the background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The size of this type is unknown.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::cli::Cli</name>
    <message>
        <source>&quot;%1&quot; should be NAME=VALUE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chat: --arg takes NAME=JSON, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>line %1, column %2: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the chat template: %1%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; the context is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; no token satisfies the grammar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 tokens do not fit in a context of %3; see --context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1 takes %2, not &quot;%3&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the vocabulary has %n tokens, and none with the id %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>--logit-bias takes TOKEN=NUMBER, or TOKEN=-inf, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--logit-bias takes TOKEN=NUMBER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print this help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no option %1; see gufo-cli help %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an argument is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; usage: gufo-cli %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes a whole number from %2 to %3, not &quot;%4&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no verb &quot;%1&quot;; see gufo-cli help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a verb is missing; see gufo-cli help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>standard output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has changed, and nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3 written (%4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor bytes before: SHA-256 %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor bytes after:  SHA-256 %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>REGEX</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OUT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ORDER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>N</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TYPE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>X</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FORMAT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IDS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token ids, separated by commas or spaces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TEXT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TOKEN=X</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NAME</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NAME=JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>REGEX=TYPE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OTHER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SIZE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KEY=PATH</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PATH</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KEY</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>delete a key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OLD=NEW</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rename a key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>REGEX=NEW</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE [--deep]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE TENSOR -o OUT [--format FORMAT]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE [TENSOR…] [--hist N] [--model]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A B [C…] [--metric M] [--sort M] [--tensors REGEX] [--html OUT] [--csv OUT]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE [--context N] [--kv TYPE] [--batch N]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IN OUT TYPE [--tensor REGEX=TYPE …] [--imatrix FILE] [--dry-run]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE -p TEXT [-n N] [--temp X] [--seed N] …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE [--system TEXT] [-m TEXT] [--temp X] …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE TEXT [--against OTHER] [--ctx N]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE --tokens IDS --logits OUT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE [-p N] [-n N] [-d N] [-t N]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE TEXT [--ids] [--no-bos] [--special]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE IDS… [--special]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IN PREFIX [--max-tensors N] [--max-size SIZE] [--metadata-first] [--verify]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IN OUT [--verify]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads: %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 % of the 8-bit peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt: %1 tokens/s, %2·10⁹ products/s%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no answer yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no system message now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system message is set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n messages are in %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>there is no %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comparing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Identical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Different</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extra</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reshaped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (reference)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata: no key differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Metadata: %n keys differ</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(absent)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(same)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1: %n elements differ, the first at %2: %3</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>(none)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of %1: %2 missing, %3 new, %4 under other ids, %5 with other scores, %6 of other types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors: no difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors: the %1 worst of %2 that differ (--all shows them)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Tensors: %n differ</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--byte-order takes little or big, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--max-size takes bytes, or a number with M or G, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--format takes f32, npy, raw or csv, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>-o OUT, the file to write, is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>generated: %n tokens, %1 tokens/s</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 × %2 (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n files are here</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 (%2 bytes)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (trained with %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Context of %n tokens%1, batch of %2, KV cache in %3</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mapped from the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of which not file-backed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Perplexity: %1 ± %2 over %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2; the KL divergence needs models of the same vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenizing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scoring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--tensor takes REGEX=TYPE, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3 bits per weight (before: %4, %5)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quantising</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an argument is missing; usage: gufo-cli quantize IN OUT TYPE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>render: --arg takes NAME=JSON, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--strategy takes auto, patch, shift, clone or copy, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 (%3), %4 written in %5 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor bytes before and after: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(all tensors)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Std</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean |x|</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kurtosis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NaN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First NaN or Inf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at weight %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens: %1; bytes: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors: %1, warnings: %2, notes: %3; checks passed: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the value is not valid JSON of type %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a type; the types are u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 bool str, and arr[…] of these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the model has no chat template; choose one with --template: a file, or chatml, alpaca or plain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chat: the template renders the conversation to an empty text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number of at least %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a token id: a whole number from 0 up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--repeat-penalty takes a number greater than 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: --%2 and --%3 cannot be combined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a single token but %2; give ids, which gufo-cli tokenize prints</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights need %1, but only %2 of memory are free: parts of the file will be read again for every token, which is slow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The architecture %1 does not use RoPE: the --rope options have no effect.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A context of %1 tokens is longer than the %2 that the model was trained with: its output beyond them may make no sense. --rope-scale or --rope-base can extend it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text of --stop must not be empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the file contains no model that can be run: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print JSON (documented in app/cli/JSON.md)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gufo-cli VERB …: inspects, edits, compares and runs GGUF model files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sort tensors by this metric, worst first, or by name for file order; default: the metric of --metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare only tensors whose name matches the regular expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>list all tensors that differ, not only the 20 worst</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write a report as a single HTML file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write all figures as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with --json: add the error by weight magnitude and the distribution of errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ignore cached results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>little or big; default: that of IN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GGUF version: 1, 2 or 3 (default)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read the result again and compare the SHA-256 of the tensor bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt tokens per batch; default: 512</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type of the keys only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type of the values only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of threads; default: the physical cores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE scaling: none, linear or yarn; replaces all of the file&apos;s scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE scaling factor; default: that of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE base frequency; default: that of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context length before scaling, for yarn; default: that of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt tokens; default: 128</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens to generate; default: 32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens already in the context; default: 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write control tokens as text instead of omitting them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output file; it is written completely or not at all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>npy (NumPy), f32 (raw little-endian floats), csv, or raw (the bytes as stored); default: by the extension of OUT, otherwise f32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output file: floats, one row over the vocabulary per token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generate at most N tokens; default: until the model ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stop before this text; may be repeated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>continue after the end-of-text token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temperature; default: 0.8; 0: always the most likely token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep the N most likely tokens; default: 40; 0: off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep the most likely tokens up to a total probability of X; default: 0.95; 1: off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep tokens at least X times as likely as the most likely one; default: 0.05; 0: off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locally typical sampling with probability X; 1 (default): off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep logits within X standard deviations of the largest; 0 (default): off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XTC: probability of removing the most likely tokens; 0 (default): never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XTC: tokens from this probability up are removed; default: 0.1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dynamic temperature: vary it by ±X with the entropy; 0 (default): off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dynamic temperature: exponent; default: 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>penalty for recently used tokens; 1 (default): off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of recent tokens that penalties apply to; default: 64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>penalty for each recent use of a token; 0 (default): off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY: penalty for repeating phrases; 0 (default): off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY: factor per repeated token; default: 1.75</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY: repetitions up to N tokens are not penalised; default: 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY: number of recent tokens to search; 0 (default): all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirostat version 1 or 2: keeps the surprise constant; 0 (default): off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirostat: target surprise in bits; default: 5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirostat: learning rate; default: 0.1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add X to the logit of a token, given by id or text; -inf forbids it; may be repeated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>constrain the output to a GBNF grammar (llama.cpp&apos;s format)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same with the grammar as text: &apos;root ::= &quot;yes&quot; | &quot;no&quot;&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>constrain the output to JSON that conforms to a schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same with the schema as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text to continue; control tokens are written as &lt;s&gt; and so on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with --json: add the N most likely tokens of each position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send this message instead of reading from standard input; may be repeated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a template of the model by name, a file, or chatml, alpaca or plain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list of tools, or @FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an additional template variable, such as enable_thinking=false; may be repeated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>importance matrix of this model (GGUF or .dat), which reduces errors where they matter most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type of the output tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type of the token embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>requantise tensors that are already quantised, which loses more than quantising the original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of threads; default: all. The result does not depend on it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only show what would be written and its size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list of {&quot;role&quot;, &quot;content&quot;}, or @FILE; default: a short conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>do not append the beginning of the assistant&apos;s answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare with a model of the same vocabulary: its perplexity, KL divergence and agreement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>maximum number of tensors per file; default: 128, or unlimited with --max-size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>maximum size of the tensor data per file in bytes, or with M or G (1000 M = 1 G)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>put only the metadata into the first file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type of all values: u8 i8 … f64 bool str, or arr[T]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set a key to the content of a file, byte for byte if the key is a string</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set a key to the JSON value in a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set all keys of a JSON file, with their types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replace what REGEX matches in tensor names by NEW (\1: the first group)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>delete the tensors whose whole name matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write to another file and leave this one unchanged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how to save: auto (default), patch, shift, clone or copy; fails if it is impossible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>verify that the tensor bytes are unchanged by hashing them before and after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edit in place even if the file has hard links or is named by the hash of its content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reserve no space for later edits, and release reserved space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print a histogram of N bins for each tensor; --json always contains one (default: 256 bins)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>also treat all decodable tensors as one population</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print only the ids, on one line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>do not add the tokens that begin or end a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read text such as &lt;s&gt; as the control token of that name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>also search all weights for NaN and infinity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the format, metadata and tensors of a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prints the full value of a metadata key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checks a model: lists what is wrong or unusual, where, and how to fix it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The exit code is 1 if there is a warning or an error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes a tensor&apos;s values to a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prints statistics and histograms of tensors (default: all)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over finite values: minimum, maximum, mean, standard deviation (population), mean of absolute values, skewness, excess
kurtosis. NaN and infinities are counted. All weights are read; Ctrl-C cancels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edits metadata and tensor names, in place or in a new file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compares the weights, metadata and tokens of models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows how much memory running the model needs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists the memory for weights, KV cache, recurrent state, buffers and logits, and whether this machine has enough.
For models that this engine cannot run, the figures are estimated from the header.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the model with other tensor types to a new file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TYPE is one of F32, BF16, F16, Q8_0, Q6_K, Q5_1, Q5_K_M, Q5_K_S, Q5_0, Q4_1, Q4_K_M, Q4_K_S, IQ4_NL, Q4_0, IQ4_XS,
MXFP4_MOE, Q3_K_L, Q3_K_M, Q3_K_S, Q2_K, Q2_K_S. With --dry-run, OUT may be omitted. Shows the resulting size first.
OUT is written completely or not at all; shards become one file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renders a conversation with the chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renders as Hugging Face transformers does: Jinja2 with trim_blocks and lstrip_blocks. The text is written byte for byte
(with a line break after it only on a terminal). A template may use 1 s and 400 MB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continues a text with the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats with the model through its chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads one message per line from standard input (a \ at the end continues it on the next line), and prints answers as
they are generated. /help lists the commands. Ctrl-C stops the answer; at the prompt it ends the program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measures how well the model predicts a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the logits of all positions as floats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OUT has one row per token, with one value per token of the vocabulary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measures the speed, and compares it with the limits of this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluates arbitrary tokens. Measures the read bandwidth and the peak rate of 8-bit products in the same run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prints the tokens of a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TEXT may be - for standard input. Bytes that are not UTF-8 are tokenized too if the tokenizer supports it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prints the text of token ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IDS are numbers separated by spaces or commas, or - for standard input. The text is written byte for byte
(with a line break after it only on a terminal).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits a model into several files: PREFIX-00001-of-00003.gguf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The metadata goes into the first file. All files are written, or none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merges the files of a split model into one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undoes or completes an interrupted save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uses the journal beside the file, as opening the file also does. Afterwards the file is entirely the old or the new version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation has been cleared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>/save needs a file name: .md for Markdown, any other for JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. /help lists the commands; Ctrl-C stops an answer, Ctrl-D ends the program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no metric &quot;%1&quot;; the metrics are %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--tensors: error in the regular expression at character %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is one of the files that are compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more; use --json to see all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>eval: both --tokens IDS and --logits OUT are needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generate: the prompt has no tokens, and the model adds no token at the beginning of a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>it predicts %n tokens, the reference %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>perplexity: the text has %n tokens, but a window needs %1; use a longer text or a smaller --ctx</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a type that can be written; these are %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--tensor: &quot;%1&quot; is not a regular expression: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors that get another type because their rows are not a whole number of its blocks: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use --allow-requantize to quantise it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no interrupted save of this file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An interrupted save was undone: the file is as it was before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An interrupted save was completed: the file contains the changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing to do: KEY=VALUE or another edit is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1: error in the regular expression %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to save: the file already has these values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>omitted, because their values cannot be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not run: the search for NaN and infinity, which reads all weights (--deep)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not run: the check of chat templates, because gufo-render-helper did not respond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replace an existing file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 exists; --force replaces it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All verbs accept --json. &quot;gufo-cli help VERB&quot; describes a verb; --version prints the version.
Exit codes: 0 success; 1 validate found a warning or an error, or compare a difference; 2 wrong usage, unreadable file or another failure; 128 + signal if cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print numbers of tokens and speeds to standard error even if it is not a terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 version %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1-endian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alignment %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has no array %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>chat: the last message takes %n tokens, but the context holds only %1: use a larger --context</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the %n oldest messages did not fit into the context and were left out; see --context</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n older tokens of the answer did not fit into the context and were left out; see --context</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>context length in tokens; default: the tokens that are measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context length in tokens; default: memory for the given tokens, with the RoPE factors of the trained length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the processor&apos;s cache, so the bandwidth of the memory is no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % of the read bandwidth (%2 GB/s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generation: %1 tokens/s; at best %2, %3 GB/s, %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors: there are none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gufo-cli itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with tokenizer and sampler; not in the total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>also accept a copy of the file that was made together with its journal, if its bytes match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE [--moved]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt: %1, %2 of them reused%3; answer: %4%5%6%7</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2; a draft needs a model of the same vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n drafted tokens accepted</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1: the model has no ranking head (cls.output.weight), so it scores no texts; gufo-cli embed makes vectors of them, whose cosine says how similar they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: a text has no tokens, and the model adds none of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an encoder (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model whose tokens attend to later ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILTER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only tensors for which all terms hold: ffn_* or Q6_K (a part of the name, or the type), type:IQ*, size:&gt;10M, size:1M..2G, shape:4096x*, /REGEX/, and -TERM or !TERM to exclude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for folders: type of the result, as in quantize; default: auto, that of the source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for folders: general.name; default: that of the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for folders: write no tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for folders: only show what would be written, with --json every detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type of the KV cache, by default f16: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context length in tokens; default: memory for the longest text, with the RoPE factors of the trained length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token ids instead of a text, separated by commas or spaces; may be repeated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none (a vector for each token), mean, cls (the first token&apos;s), last, or rank (scores); default: that of the file, otherwise none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale vectors to the length 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write the vectors to a NumPy file, one row for each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NAME|FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name of the model&apos;s template to use, of which &quot;default&quot; is tokenizer.chat_template; or a file with a template (@FILE if a template of the model has the same name)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file to write, which quantize --imatrix reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluate at most N chunks; default: all of the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>continue where OUT was saved last; the result is the same as without a break</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only show what would change, and how it would be saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads only the header, whatever the size of the model. Any shard of a set stands for the whole set, and any piece
of a cut file for the file. For a store of Ollama, its models are listed. Long values are truncated; use get to see
them in full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE KEY|KEY[N]|KEY[N:M]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A string is written byte for byte (with a line break after it only on a terminal). An array is written one element per
line; in its strings, a backslash is written \\, a line break \n, a tab \t, and bytes that are not UTF-8 \xNN. KEY[2] is one element of an array, written like a value of its type, and KEY[2:5] the
elements 2, 3 and 4; elements are numbered from 0, and either number of a range may be omitted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE TEXT -o OUT [--chunks N] [--context N] [--save-every N] [--resume]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measures which weights matter most (importance matrix), for quantising</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE [--template NAME|FILE] [--messages JSON|@FILE] [--tools JSON|@FILE] [--arg NAME=JSON]…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE TEXT… [--tokens IDS] [--pooling P] [--normalize] [-o OUT]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE QUERY TEXT…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sorts texts by how well they answer a query, with a ranking model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prints the best text first, each with its score. Query and text are joined by the template &quot;rerank&quot; of the file or,
without one, by its separator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IN is any of the files: a shard, or a piece of a file that was cut (m.gguf-split-a,
m.gguf.part1of2, m.gguf.001).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--memory takes a size such as 8G, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare: --%1 %2 matches no tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model runs within %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best that fits into %1: %2 (%3 to run, %4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an argument is missing; usage: gufo-cli convert IN OUT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--type applies to folders; the types of a GGUF file are changed with: gufo-cli quantize IN OUT TYPE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1 applies to folders, not to GGUF files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, keys: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>converting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embed: give either texts or --tokens IDS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embed: --pooling takes none, mean, cls, last or rank, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embed: --tokens needs at least one id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embed: --normalize is for vectors, but this makes scores; --pooling mean, cls or last makes vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the array has %n elements, numbered from 0; %1 is beyond its end</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the position in the brackets is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n of %1 expert matrices; a longer text may reach them</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>imatrix: %1 is complete, so it cannot be continued; --force replaces it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imatrix: %1 was begun with another model, text or --context; continue it with the same ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imatrix: -o OUT is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>imatrix: the text has %n tokens, but a chunk needs %1; use a longer text or a smaller --context</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Percentile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL (nats)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Δp (%)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other model: %1 ± %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ratio of the perplexities: %1 ± %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence: mean %1 ± %2, largest %3 nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change of the following token&apos;s probability (Δp): mean %1 ± %2 %, RMS %3 ± %4 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same most likely token: %1 ± %2 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving writes the new file %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was written (--dry-run).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stats: --filter %1 matches no tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 reads or writes whole files on this computer, and takes no address: download the model first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how strongly the adapters are applied; default: 1. Given several times, one for each adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type of the tensors that change: keep (default), F32, F16 or BF16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for adapters: the base model, a folder with its config.json or a GGUF file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file with the server&apos;s key; default: the environment variable GUFO_ENGINE_KEY</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>report the probabilities that the samplers have left; servers only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>let the server apply its own chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A is the reference. All weights of all models are read once; Ctrl-C cancels. Results are cached until a file changes.
A GGUF file and the folder that it was converted from are compared tensor by tensor as the conversion writes them.
The exit code is 1 if anything differs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TEXT is a file, or - for standard input. With --against, both models run in lock step, so no file of logits is needed.
With --engine, a server that runs the same model scores one token for each request.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>BASE ADAPTER… OUT [--scale X]… [--type TYPE] [--dry-run]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merges LoRA adapters into a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IN OUT [--type TYPE] [--imatrix FILE] [--base PATH] [--name NAME] [--vocab-only] [--dry-run] | [--byte-order ORDER] [--version N] [--verify]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--type takes keep, F32, F16 or BF16, not &quot;%1&quot;; other types are made with: gufo-cli quantize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NMSE of encoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error that encoding adds: NMSE %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change: norm of what is added, relative to that of the weights. Size: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an argument is missing; usage: gufo-cli apply BASE ADAPTER… OUT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>merging</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compared by the names in the files, because the folder cannot be converted: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>checking the conversion</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Scales that are rounded to f16: %n tensor(s), with an error of at most %1 (%2)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>--base applies to adapters; this folder is a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adapters are written as F32, F16 or BF16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--vocab-only and --imatrix do not apply to adapters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name the base model with --base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1 does not apply to files from before GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>perplexity: --against needs the probabilities of all tokens, which a server does not report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>perplexity: a window of %1 tokens does not fit into the server&apos;s context of %2; use a smaller --ctx</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>perplexity: the server does not report the probability of a token that ends inside a character; use a text without such characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--scale takes a number, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--scale is given once, or once for each adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1 applies to GGUF files, not to what is converted to GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DIR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>folder for the files; default: the current one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parts that are fetched at the same time, 1 to 16; default: 4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare only the size, the header and 30 random parts of 64 KiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ADDRESS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take all keys of a newer version of the file, which has the same tensors; ADDRESS is as in download, or a file. Its weights are not fetched, but random parts of them are compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All edits are saved together: first --header-from and --import, then --delete, --rename, values and tensors. The type of a value is that
of --type, of the key, of the key catalogue, or deduced: true, 12 (i32, u32, i64, u64), 1.5 (f32), [&quot;a&quot;] (arr), text.
Names can stand for numbers (general.file_type=Q4_K_M); KEY[12]=VALUE sets one element. Ctrl-C leaves the file as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ADDRESS [-o DIR] [--connections N]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloads a model, and checks that it is complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE ADDRESS [--quick]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was there already, with the SHA-256 that the hub states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has the SHA-256 that the hub states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SHA-256 %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 fetched, %2/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not the file of the hub: its SHA-256 is another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: --engine-key-file is for a server, whose address --engine takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HOST:PORT,…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ENGINE</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>prompt: %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 of them reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an encoder with a decoder (%1), of which Gufo runs only the encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>penalty for each token that was used recently, however often; 0 (default): off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only show which tensors change, and how much; OUT is then omitted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluates TEXT, a file or - for standard input, and sums the squared inputs of each matrix, separately for each expert.
The KV cache is f32 unless --kv says otherwise. After Ctrl-C, --resume continues from the last save.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prints a line of numbers for each text. If the model is not an encoder, its vectors are the states of tokens after
the last norm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Converts other formats to GGUF, or writes GGUF in another byte order or version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IN is a folder of Hugging Face (safetensors or PyTorch, with its configuration and tokenizer), the folder of a PEFT adapter,
a LLaMA file from before GGUF (GGML, GGMF, GGJT), or a GGUF file.
A folder is converted in one pass to any type that quantize has; with --dry-run, OUT may be omitted, and the plan is
shown: each tensor with its sources and operations, each key with the source of its value, and what is left out.
For GGUF files, impossible conversions are refused: big-endian before version 3, 64-bit values in version 1, and another
byte order for tensors whose layout is unknown. OUT is written completely or not at all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ADDRESS is https://…, hf.co/OWNER/REPO[:Q4_K_M], OWNER/REPO, modelscope.cn/models/OWNER/REPO or ollama.com/NAME:TAG; of several
models in a repository, Q4_K_M is chosen unless another is named. All shards of a model are fetched. The SHA-256 is
compared with the one that the hub states. Ctrl-C keeps NAME.part, which the next call completes. Private and gated models need
a token of Hugging Face in HF_TOKEN; HF_ENDPOINT names a mirror. Without encryption (http://), only this computer is contacted, and the
hosts that GUFO_PLAIN_HOSTS lists, separated by commas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checks whether a file is identical to the one on the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is %2, which cannot be converted: convert takes folders in Hugging Face&apos;s or Mistral&apos;s format, PEFT adapters and LLaMA files from before GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 contains weights, but nothing beside it says of which model: convert the folder that has its config.json or params.json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a position; elements are numbered from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: --engine takes an engine of this computer (%2), or the address of a server, such as http://127.0.0.1:8080</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is damaged or belongs to another model, so it is not used and its prompt is evaluated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the file is %2, which embeds texts and does not generate any; use gufo-cli embed, or gufo-cli rerank if it ranks texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with --engine %1: layers on GPUs and other machines; default: all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with --engine %1: machines that run rpc-server; the connection is not encrypted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another engine of this computer, where it is installed (%1), or the address of a server (llama-server, or one with OpenAI&apos;s interface)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluate repetitions of earlier text several tokens at a time; the answer is the same, but is generated faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>speculative decoding with a smaller model of the same vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cache evaluated prompts in the user&apos;s cache folder (up to 4 GiB), so that a known beginning of a prompt is not evaluated again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>save the matrix after every N chunks; default: 10</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>metric shown in tables and on the report&apos;s map: %1; default: the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>also name the model closest to the reference (by --metric) that runs within this memory, such as 8G, with the trained context of at most 4096 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on the CPU, directly from the file. Ctrl-C stops. With --json, also prints log-probabilities and speeds.
With --engine, another engine or a server runs it; FILE is then the file whose model the server should run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embeds texts, or scores them if the model is a reranker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compares the size and the SHA-256, which reads the whole file, or with --quick only parts of it, which takes seconds.
ADDRESS is as in download. FILE may be any shard. The exit code is 1 if anything differs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bench: --context must be at least %1, because that many tokens are measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the value of %1 is not an array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Snapshots of the state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to return to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is the file on the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equals the file on the hub in its header and random parts (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>differs in size from the file on the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>differs from the file on the hub between byte %1 and byte %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: there is no such file. If it is the name of a model on Hugging Face, write %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Integers and F64 keep their type in npy and csv; all other types are written as floats.
If OUT is -, they are written to standard output.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a GGUF file; make one with: gufo-cli convert %1 OUT.gguf --base %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the file contains no key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: --%2 has no effect with the engine &quot;%3&quot;, only with: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the key of the server has several lines, or other characters that no key has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens per window, of which the second half is scored; default: 512, or the context of the model if that is shorter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens of a chunk; default: 512, or the context of the model if that is shorter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max error</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>There are %n more problems, which --dry-run lists.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>nothing was written, because the result could not be run:</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>eval: the engine &quot;%1&quot; uses the RoPE factors of a context of %n tokens, not those of the trained length; see --context</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>--%1 takes a number greater than 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--rope-scaling takes none, linear or yarn, not &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--rope-scaling none and --rope-scale cannot be combined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--rope-scaling %1 needs --rope-scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: only one of --draft, --lookup and --mtp can be given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: --mtp is not possible, because %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>include the memory of drafts by the model&apos;s own block that predicts further tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>speculative decoding with the model&apos;s own block that predicts further tokens (multi-token prediction), if the file has one</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the scores are those of the first of %n labels, %1; --json prints those of all</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>chat: --think needs an engine that runs the model itself, not a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chat: --think: this chat template has no thoughts; leave the option out, or choose another template with --template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this chat template does not show how tool calls are written; calls in an unusual format appear as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; the server&apos;s content filter has ended the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; the server has refused to answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n events of the server could not be read and were skipped; the answer may be incomplete</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1: read as control tokens; --literal-content keeps them as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: --schema-relaxed needs --json-schema or --json-schema-text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--schema-relaxed: %1 is ignored; the answer may violate it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--ignore-eos needs -n N, because the text would never end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model recommends %1 (general.sampling), which is used; options override it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: --literal-content is not possible: the server makes the tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat template does not support tools: the model does not see those of --tools.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To do so: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is read, and cannot be replaced by the output: choose another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no finding is called %1; gufo-cli validate FILE --json lists those of a file, with their codes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be repaired: %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to repair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repair: %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context length in tokens; default: the trained length, at most 4096; generate and chat make it longer for a long prompt, up to the trained length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>random seed; default: 0; the same seed gives the same text; -1: another seed each time, which --json names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ignore keywords of the schema that cannot be guaranteed, and name them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep the texts of control tokens, such as &lt;|im_end|&gt;, as text where they occur in a message or in the prompt; default: they become control tokens, as in transformers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end thoughts after N tokens (0: none)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>importance matrix (GGUF or .dat) for the metric weighted_sqnr, which shows what quantising with one gained; default: the one that a model names, if it is in the model&apos;s folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run the models on this text, and show the mean KL divergence of their predictions from those of the first, by which --memory then chooses unless there is a --metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare: the metric %1 needs an importance matrix; name it with --imatrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>compare: the text of --kl has %n tokens, but at least %1 are needed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1: its KL divergence is not known, because %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generate: --prompt and --prompt-file cannot be combined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generate: --prompt TEXT or --prompt-file FILE is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>generate: the prompt has %n tokens, but the context holds only %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>, as the model was trained; --context can extend it, and --shift leaves out the oldest tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, because more does not fit into the free memory; --shift leaves out the oldest tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: use a larger --context, or --shift to leave out the oldest tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n older tokens did not fit into the context and were left out; see --context</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The context of %n tokens is full, so the text ends here; a larger --context or --shift continues it.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The context is full, so the text ends here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s content filter has ended the text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file with the text to continue, used byte for byte; -: standard input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave out the older half of a text that fills the context, and continue; default: refuse a longer prompt, and end a text that fills the context</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no chunk and were left out; see --context.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chunks are saved in %1; --resume continues there</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no window and were left out; see --ctx.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>type of tensors whose name matches, except those that are not quantised, such as norms, which need their full name; may be repeated, the first match counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>apply the repairs that findings offer, after the other edits: all, or those of the codes that follow FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE KEY=VALUE… [--repair [CODE…]] [--type T] [--file KEY=PATH] [--delete KEY] [--rename OLD=NEW] [-o OUT]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not judged: whether all tensors are there that the model needs, because parts are missing or the architecture is not known to Gufo&apos;s engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>−1 is no token id; for a model without such a token, use --delete %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the next token is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the answer may be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faster generation with the same answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory, threads and positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other engines and servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists the verbs, or describes a verb. Where a verb has many options, those of a topic are described on their own; the topic &quot;%1&quot; stands for all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further options, described by &quot;gufo-cli help %1 TOPIC&quot;:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;gufo-cli help %1 all&quot; describes all options.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 arguments are too many: at most %n can be given</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the help of %1 has no topic &quot;%2&quot;; there are: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>models of type %1 can be read, but not written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no quantisation type &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; the types that can be written are %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replaced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replaced, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1: %n tensors, alpha %2, scale %3</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>BASE and the adapters are GGUF files. Tensors that an adapter names are recomputed in f32 and written in the type that
they had, or matrices in that of --type; all others keep their bytes. Tensors that an adapter contains whole (modules_to_save) take the place of those of the model. Shows how much each tensor changes, relative to its weights,
and the error that encoding it again adds. OUT is written completely or not at all; shards become one file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes a number of bytes, 4096 or 0x1000, not &quot;%2&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only one of --at, --key and --tensor can be given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--at: the file ends at byte %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has no key %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has no data of a tensor %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--length takes 1 to %1 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: scale of sub-block %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: minimum of sub-block %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: code of weight %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OFFSET</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begin at this byte, 4096 or 0x1000; default: the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begin at the record of a key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begin at the data of a tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>show so many bytes; default: 256, at most 1048576</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE [--at OFFSET | --key KEY | --tensor NAME] [--length N]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows bytes of a file with the meaning of each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every byte belongs to a field: a length, a key, a value, the record of a tensor, the scale of a block, padding. The packed bits of a quantised block name the weights and sub-blocks that they belong to.
A damaged file is shown up to its damage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write the card to a file, README.md as a rule; default: standard output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE|FOLDER [-o README.md]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes a model card for a model, or for all models of a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The front matter (licence, base models, languages, data sets, tags) is as the Hugging Face Hub reads it, and comes from the keys general.* of the smallest model. A table lists the files with their types, sizes, bits per weight and memory.
The card holds no paths of this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>/load needs the name of a JSON file: a list of messages, as /save writes it, or an object that has one under &quot;messages&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n messages were loaded from %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>/regen        generates the last answer again
/clear        clears the conversation, but keeps the system message
/system TEXT  sets the system message, or removes it if there is no TEXT
/save FILE    saves the conversation, as Markdown if FILE ends with .md, otherwise as JSON
/load FILE    continues a conversation that was saved as JSON
/quit         ends the program, as Ctrl-D does
A \ at the end of a line continues the message on the next line. The arrow keys call earlier lines back, and Ctrl-R searches them; a line that begins with a space is not kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The adapter also contains whole tensors, which take the place of the model&apos;s. Merge it with gufo-cli apply: runtimes that load adapters beside a model refuse it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an adapter for the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a projector for the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an importance matrix for the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model that drafts for the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prediction blocks for the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They fit, with a limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They do not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Says whether two files belong together, and why not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One file is a model, the other a projector (mmproj), a LoRA adapter, an importance matrix, a smaller model that drafts, or prediction blocks (MTP) in a file of their own, in either order. No weights are read.
The exit code is 1 if the files do not fit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: is in the manifest only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: is not in the manifest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: line %2 is not a line of a manifest: a SHA-256 in hexadecimal digits, two spaces, file, header, weights or tensor, two spaces, and a name; gufo-cli hash FILE -o MANIFEST writes one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: it holds no digests; gufo-cli hash FILE -o MANIFEST writes a manifest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MANIFEST</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write the digests to a file instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare the digests with a manifest, and print what differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>-o and --check exclude each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing differs from the manifest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FILE [-o MANIFEST] [--check MANIFEST]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prints the SHA-256 of the file, its weights and each tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files with equal weights have the same digest of weights, whatever their metadata, their order of tensors, their byte order or their division into shards is. Of a set, all files are read.
A line is a digest, its kind (file, header, weights or tensor) and a name. With --check, the exit code is 1 if anything differs; verify compares a file with the one on the hub.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n entries</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chunks of %1 tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is a new key.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui</name>
    <message numerus="yes">
        <source>%1 … %n elements</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and more rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>… and %n more rows</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is not a valid escape; the escapes are \n, \r, \t, \\, \xNN and \u{NNNN}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::AdapterModel</name>
    <message numerus="yes">
        <source>block %1, %n matrices</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>outside of blocks, %n matrices</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n matrices do not fit</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Frobenius norm of the base model&apos;s weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm of the change, relative to that of the weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change / weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replaced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frobenius norm of what is added to the weights: alpha / rank × B·A, or the difference of the tensor that replaces them</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::AdapterPanel</name>
    <message>
        <source>File…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows of the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a base model that is not open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matrices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the adapter changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n matrices of rank %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Alpha %1: each product is multiplied by alpha / rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file states no alpha, so the products are not scaled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made for %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the base model to see which matrices fit and how strongly each changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>All %n matrices fit.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of %1 matrices do not fit, so the adapter cannot be applied.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>They change the weights by %1 % (norm of all changes, relative to that of the weights).</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors take the place of the base model&apos;s.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::AddTokensDialog</name>
    <message>
        <source>Add tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Texts of the tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;ype</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add token</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Add %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The token embedding (token_embd.weight) has %1 rows and the vocabulary would have %2 tokens. Tokens from id %1 on have no row: runtimes refuse the file or give these tokens no meaning, until a tensor with more rows is imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 has %2 elements for %3 tokens. Make the lengths equal first, or added values would belong to the wrong tokens.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>One token per line, as stored in the file; escapes: \n, \xNN, \\</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::AddressField</name>
    <message>
        <source>Contacts %1 for the header of %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contacts %1 for the list of files of %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contacts %1 for the list of files of %2, and then for the header of the chosen one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>https://…/model.gguf, or hf.co/owner/repo:Q4_K_M</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address or name of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is sent before you press a button.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is neither an address that begins with https:// nor a name such as owner/repo, hf.co/owner/repo:Q4_K_M or ollama.com/library/name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without encryption, others on the way can read and change what is sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Contact %1 without encryption, now and later</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::AnswerFormat</name>
    <message>
        <source>thinking in a channel of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>thinking in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no thinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calls as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calls as a name and JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calls as XML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calls as in a program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calls in a channel of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calls cannot be told from text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 without a marker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This template&apos;s answers: %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before a thought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After a thought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before all calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before a call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before the name of an argument</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After a call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After all calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After an answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ApplyDialog</name>
    <message>
        <source>Merge LoRA Adapters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Merge…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add an adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A LoRA adapter in GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other types are made by quantising the result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A&amp;dapters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Type of changed tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add LoRA adapters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>× </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strength of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the model that the adapter was made for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the adapters to be merged into it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NMSE of encoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors changed; encoding adds an error of NMSE %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors change; the file gets %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Write the merged model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop merging into %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ArrayModel</name>
    <message>
        <source>Was: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set %1[%2]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ArrayPane</name>
    <message>
        <source>Insert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Append</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste, import and export elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit	F2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Insert before	Ins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Append</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Remove	Del</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;vert these elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON (*.json);;CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>I&amp;mport…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line %1 of the clipboard: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Paste %n elements into %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Importing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert %1[%2]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1[%2]</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Remove %n elements of %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Remove elements of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert elements of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only this value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only elements that differ from the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the array</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, %n elements</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, shown beside tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The array is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert an element before the current one (Ins)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Append an element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the selected elements (Del)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert all changes of this key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One element per line, inserted before the current element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the enclosing array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no element %1; the last one is %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ArrivingModel</name>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::BaseField</name>
    <message>
        <source>GGUF File…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the base model: a GGUF file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the base model: a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The base model as GGUF. The shapes of the adapter are compared with its tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder with the config.json of the base model. Its weights are not needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the adapter&apos;s folder says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::BlockLine</name>
    <message>
        <source>The weight and its block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes of the block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The block starts at byte %1 of the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (code %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::BlockMap</name>
    <message>
        <source>Bits per weight by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block %1 has no %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no block</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more tensors, listed on the Tensors page</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::BlockValues</name>
    <message>
        <source>Number of the block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The block with the largest error of the tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes of the block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of the block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row %1, columns %2–%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes at %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::BlockValuesModel</name>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row %1, column %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row and column of the weight</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::CellDelegate</name>
    <message>
        <source>The model does not take this value now.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ChangeBar</name>
    <message>
        <source>Review…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the changes (Ctrl+S)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of saving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n unsaved changes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the differences from the file (Ctrl+Shift+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert all changes; Undo restores them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ChatPane</name>
    <message>
        <source>Send as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The result of the tool that the model has called</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say something else instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This engine supports text only: pictures cannot be sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beginning of a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More of the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message; if empty, the last one is answered again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The result of %1, as JSON or text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tokenizer does not work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text cannot be tokenized: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No completion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model continues it token by token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer comes from this file alone.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ChatSettingsPanel</name>
    <message>
        <source>Sampling</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ChooseFiles</name>
    <message>
        <source>Compare models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Two to %n files of one model, quantised differently, or any others.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Most bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>At most %n models can be compared.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Choose at least two models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A model in Hugging Face&apos;s layout. With one GGUF file, it is compared as the conversion would write it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder of a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run models side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Two to %n models that generate text with the same tokens.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::CompareTab</name>
    <message>
        <source>Compare again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add models to the comparison: at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Compare: %n files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Compare: %1 (%n files)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matching tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Cancelled: %1 of %n tensors were compared.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A comparison needs two models that can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The comparison failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n files, %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>All shapes equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 without counterpart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n metadata differences</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Opening %n files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Comparing %n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Compared %n tensors of %1 files in %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the comparison as an HTML page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A comparison needs at least two models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 with another shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This would compare %1 with itself. Add another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking the conversion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and templates are compared. Comparing the weights would fetch %1 from %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch and compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files of this comparison are not on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are on %1. Nothing has been sent there for this tab yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not contacted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The results are those of the version read before; its weights can no longer be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The version read before is still shown.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ComparisonExport</name>
    <message>
        <source>Export comparison as a report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export comparison as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export comparison as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ComparisonFrame</name>
    <message>
        <source>Reference: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Composer</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send (Enter; Shift+Enter starts a new line)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ContextField</name>
    <message>
        <source>Context, tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The length of text that the model can take into account: prompt and answer together</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Conversation</name>
    <message>
        <source>Answer in one sentence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is an owl?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A bird of the night.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Will it freeze in Trento tonight?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two and two make four.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is in this picture?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which one is the largest?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2 + 2?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>And 3 + 3?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool call with empty text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several messages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConversationFiles</name>
    <message>
        <source>Export the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import a conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer before you import a conversation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be imported: %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConversationPanel</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generation prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools or variables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Example conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from an example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a message at the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add_generation_prompt: begin the assistant&apos;s answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold or unfold the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value (JSON)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Such as enable_thinking = false, or date_string = &quot;1 May 2026&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a variable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the variable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variables (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Valid JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not valid JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Custom conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Additional template variables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. Strings need quotes.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConversationShelf</name>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversations with this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation cannot be read: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation cannot be saved: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation cannot be deleted: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation “%1” was deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A part of the conversation “%1” was deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer before you undo the deletion.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConvertDialog</name>
    <message>
        <source>&amp;Vocabulary and keys only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the table shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors of the result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys of the result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Convert…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open It</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert %1 to GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelling …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled. There is no plan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of the weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As in the source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes no tensors; such a file is enough to tokenise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 without tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 with %3 bits per weight; the source has %4 with %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors get another type, because their rows are not whole blocks of the intended type.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>This folder cannot be converted</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the converted model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>. Nothing was written. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reshape to %L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interleave the halves of each of %2 heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>separate the interleaved halves of each of %2 heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>negative exponential, −exp(x)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>logarithm, ln(−x)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reciprocal, 1/x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transpose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take %3 rows from row %2 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take %5 rows from row %4 on of each of %2 groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stack %1 tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take tensor %1 of the %2 in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute from the configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repack MXFP4 without loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repack NVFP4 without loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repack blocks from before GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode 8-bit floats with scales of blocks of %1 × %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode GPTQ of %1 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode AWQ of %1 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode packed codes of %1 bits in groups of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode affine codes of %1 bits in groups of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode 8-bit integers with a scale for each row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode 4-bit codes with a table of levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a scale for activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a detail of the encoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runtimes compute it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a mask that runtimes compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>belongs to images or sound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needed for training only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a pooling that this model does not use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model does not use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same as the token embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the source says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files from before GGUF keep their types. Quantising the result changes them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planning</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The scales of %n tensors are rounded to f16, which changes a weight by %1 at most.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Which model does this adapter belong to?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file cannot be converted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose its base model above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take one of every %3 rows, from row %2 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gather the parts of %3 groups of %4 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decode ternary weights with one scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is zero, and runtimes have no place for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n more findings.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>round to −s, 0 or s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scatter the parts back to %3 groups of %4 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layers for multi-token prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take rows %R</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>multiply by %F</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a dense layer that runtimes cannot apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Com&amp;pare with the Original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop converting to %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::CountBox</name>
    <message>
        <source>%1 is not a whole number from %2 to %3.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::DensityPlot</name>
    <message>
        <source>Weights of a file against those of the reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights per cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 to %3
%4: %5 to %6
%7 weights</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::DiffView</name>
    <message numerus="yes">
        <source>… %n lines the same</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>   … and more, not shown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::DownloadDialog</name>
    <message>
        <source>&amp;Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Into the &amp;folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contacting %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking for the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size not known yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n files, %1, from %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is too little room: %1 are needed, and %2 are free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file of this name is there already. It is checked, and only fetched again if you agree.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download into</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Complete. The SHA-256 is the one that the hub states.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Complete. The server states no SHA-256 by which it could be checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled. What has arrived is kept, so that it can be resumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Replace it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 already exists with other content. It is kept unless you replace it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 were downloaded earlier.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The download is not complete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If you stop it, what has arrived is kept, so that it can be resumed later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::DraftField</name>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from earlier text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by another model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Available when the model is loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a smaller model of the same vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading %1 …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot draft: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot draft, because its vocabulary is another one: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several tokens are drafted and then verified together (speculative decoding). The text stays the same; it is generated faster where drafts are accepted: in code, lists and quotations, or with a smaller model of the same vocabulary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by the model&apos;s MTP block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A block of the model that was trained for it predicts further tokens (multi-token prediction)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::DraftKeeper</name>
    <message>
        <source>Restore unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::DrillDown</name>
    <message>
        <source>View of the tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Histograms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights against those of the reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors by row and column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Single weights with their codes and scales</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open in Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures as &amp;CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a tensor in the map or the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to compare it with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RMS %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>named %1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This tensor cannot be shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File compared with the reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the tensor in its model&apos;s tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the reference has a tensor of this name and shape.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not fetched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights of this tensor are on a server: %1. They can be looked at one by one in the tab of a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights per bin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error: weight of the file − weight of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equal weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error: %1 − %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error: %1 − %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::DropChoice</name>
    <message>
        <source>Drop to open, or: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::EmbedPage</name>
    <message>
        <source>Vectors as NumPy array…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vectors as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Similarities as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranking as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How well each text answers a query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A vector for each text, and how similar they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the states of a text&apos;s tokens become one vector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean of all tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (as the file says)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model has no tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Texts become vectors by way of tokens, and the file does not say which tokens the model knows. gufo-cli embed accepts token ids instead of texts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which text answers best?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter a query and the texts to choose from, one in each line. The model reads the query with each of them and gives a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How alike are your texts?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter texts, one in each line, or open a text file. Each becomes a vector; the page shows how similar they are, and where they lie in the plane. Up to %1 lines are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no line with text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first %1 of %2 lines were used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to export yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n texts</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ranked, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2, vectors of %3 elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line %1 has %2 tokens, but the model reads at most %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n other lines are too long as well.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Line %1 has no tokens, and the model adds none of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line %1 cannot be used: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights are on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Making vectors needs all of them: download the model first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vectors or ranking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No engine computes embeddings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::EngineLoader</name>
    <message>
        <source>The engine has ended: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. Its last lines:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::EnginePanel</name>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Total memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Literal content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the texts of control tokens, such as &lt;|im_end|&gt;, as text where they occur in a message; otherwise they become control tokens, as in transformers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probabilities after the samplers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unload the model to change context, KV cache and threads; conversations are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free the memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the context is full, leave out the oldest messages, or the older half of a text, and continue; otherwise the answer ends. The system message stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the probabilities that the samplers have left, instead of those before them</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Engines</name>
    <message>
        <source>Gufo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not report token probabilities</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not report candidate tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine cannot continue from another token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine cannot continue a partial answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine accepts conversations only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine applies its own chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not support grammars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine accepts text, not single tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not support context shifting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not forecast its memory use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not report the probabilities of all tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not compute embeddings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine cannot save its state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine has no chat template of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not report probabilities after the samplers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine only supports temperature, top-p, frequency and presence penalties, and a seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not report the probabilities of a given text&apos;s tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a server with OpenAI&apos;s interface</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>, context of %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>, sees pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, hears audio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it runs this file&apos;s model (same tensors and vocabulary)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it runs another model, so tokens are exchanged as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whether it runs this file&apos;s model is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; its chat template is not the one of this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine does not support JSON schemas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this engine cannot draft with a block of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has no block that predicts further tokens (multi-token prediction)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model&apos;s block that predicts further tokens cannot be used: %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model&apos;s block that predicts further tokens cannot be used: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n others</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ErrorMap</name>
    <message>
        <source>Map of errors by row and column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows %1, columns %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; blocks of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ErrorView</name>
    <message>
        <source>Retry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file cannot be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recover this copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This repository cannot be listed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ExpertMap</name>
    <message numerus="yes">
        <source>Map of how often experts were used; %n were never used</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, expert %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 rows, %3 % of the tensor&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: no token was routed to it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ExportPath</name>
    <message>
        <source>%1 exists already. Replace it?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::FetchingView</name>
    <message>
        <source>Opening %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of opening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys that have arrived</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contacting %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 received from %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 received from %2 and %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What has arrived</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors that have arrived</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::FileChip</name>
    <message>
        <source>cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::FileChips</name>
    <message>
        <source>Files compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make &amp;Reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open in a Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy File &amp;Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remo&amp;ve</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::FileField</name>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not chosen yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Texts (*.txt *.md *.raw *.text)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::FileWatch</name>
    <message>
        <source>%1 no longer exists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has changed on disk: another file has its name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has changed on disk: another program wrote into it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::FindingGroups</name>
    <message>
        <source>Together, %1 of their data lie past the end of the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Together, not a number: %1, infinite: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only their number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show %1 of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>folded</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::FindingsModel</name>
    <message numerus="yes">
        <source>%n errors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checks passed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Not run: NaN and infinity scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads %1 of weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetches %1 of weights from %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing tensors not judged</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::FindingsPanel</name>
    <message>
        <source>Nothing to report.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>checking …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scanning weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fix all %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the scan of all weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Fix %n findings</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Severity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repairs this finding; can be undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads all weights and searches for NaN and infinity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Applies all repairs that guess nothing and lose nothing, in one step, which can be undone. The others have buttons of their own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fix %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::FindingsView</name>
    <message>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::FoldField</name>
    <message>
        <source>Fold: automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RMS where a pixel stands for many weights, otherwise the largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RMS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Root mean square: which rows and columns are strong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean with sign: which rows and columns are biased</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest |w|</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest |w|</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest magnitude: where the outliers are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest, signed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>signed maximum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weight of the largest magnitude, with its sign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the colour of a pixel shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the colour of a pixel shows if it stands for several weights</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::GoToField</name>
    <message>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contact %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model to go to its keys, tensors and tokens, or type an address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to key, tensor, page or command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No name contains these words</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::GrammarField</name>
    <message>
        <source>Any text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grammar (GBNF)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grammar or schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Constraint of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allows only tokens with which the answer can still satisfy the grammar or schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignore what cannot be guaranteed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignores keywords of the schema that no answer can be held to, and names them, instead of refusing the schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignored, so that answers may violate it: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::HeatMap</name>
    <message>
        <source>Map of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row %1, column %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>, %1 of about %n weights here</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>each pixel: %1 of about %n weights</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::HelpDialogs</name>
    <message>
        <source>Close a tab with the mouse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the selected recent files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the selected recent files from the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move between controls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Menu bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Gufo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspects, edits, compares and runs GGUF models.

Free software under the GNU General Public License, version 3 or later. It comes without any warranty.

Built with Qt %1 and QCustomPlot. Colour maps: viridis (Smith, van der Walt), cividis (Nuñez, Anderton, Renslow).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plots: zoom in, zoom out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plots: move the part shown, or the selected point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plots: show everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plots: zoom, move, show everything with the mouse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel, drag, double click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps: move between cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps: open the tensor of a cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps: unfold or fold a row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map of a tensor: fill the screen, or end it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::HistogramModel</name>
    <message>
        <source>Count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::HistogramPlot</name>
    <message>
        <source>Histogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 per code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 per bin of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per bin of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean ± σ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>code %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean ± σ, σ = %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::HistogramSection</name>
    <message>
        <source>What is counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scales</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often each stored number is used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Axis of the counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures of the histogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Histogram of the weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Histogram of the block scales</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use of the codes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scales</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scale by which each group of weights is multiplied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the figures as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stored code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scales per bin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights per code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights per bin</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixDialog</name>
    <message>
        <source>Importance Matrix of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Measure…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A text like those that the quantised model will read and write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all of the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Chunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;At most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sums the squared inputs of each matrix while the model reads the text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance matrices (*.gguf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 exists already, and is no unfinished matrix of this model, text and chunk. Choose another name, or remove the file first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Cancelled. %n chunks are saved in %1; measuring into the same file continues there.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Evaluating %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop measuring %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole chunks that were evaluated are saved, and measuring into the same file continues there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n matrices, from %1 chunks of %2 tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chunks had been evaluated before.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no chunk and were left out.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n of %1 expert matrices; a longer text may reach them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixField</name>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance matrices (*.gguf *.dat *.imatrix)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, %n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>A file that llama-imatrix wrote for this model: GGUF or .dat. It reduces errors where they matter most.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixModel</name>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no such tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns with the largest sums of squared inputs, as shares of the tensor&apos;s sum: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n matrices. They are quantised without importance.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The model has this matrix, but the file says nothing about it. It is quantised without importance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matrices used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top channels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All values of the entry are 0, or no token was counted. The tensor is quantised without importance.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixPanel</name>
    <message>
        <source>Model that the matrix is compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entries of the importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use of experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the entries…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n entries</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 from %n chunks of text.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1; the file does not state how much text was read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n data sets: %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n expert matrices were used.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n of %1 expert matrices.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Open the model in another tab to see which of its matrices have no entry.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n matrices of the model have no entry.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries are for tensors that the model does not have.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries are for tensors of another shape.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Every matrix that is usually quantised has an entry.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n entries have no values other than 0.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImportDialog</name>
    <message>
        <source>&amp;All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From %1: %2 new, %3 with another value, %4 the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys to import</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Import %n keys</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImportModel</name>
    <message>
        <source>new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Effect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Imported</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImportTensorsDialog</name>
    <message>
        <source>Filter by name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors of the other model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also replace tensors with &amp;another shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import tensors from another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runtimes check shapes against the model&apos;s keys and may refuse such a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import tensors from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Import %n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the tensors</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::IndexField</name>
    <message>
        <source>0 to %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::InputPanel</name>
    <message>
        <source>Open File…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the texts are compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Texts to be ranked, one in each line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Texts, one in each line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type or paste the texts that may answer the query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type or paste sentences, titles, questions …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a text file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text (*.txt *.md *.csv *.tsv *.jsonl);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n lines with text</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::JinjaLexer</name>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delimiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyword</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>String</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variable</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::JobBar</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::JobDialog</name>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::JsonProblem</name>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must be a list: [ … ]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This must be a single value</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::KeyDialog</name>
    <message>
        <source>Add key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>general.name, or part of a key&apos;s meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Known keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 already exists: %2. A file can have each key only once; change the existing one instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the braces by a number or a word.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a standard key; runtimes ignore unknown keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One element per line; leave empty for an empty array</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::LeftOut</name>
    <message>
        <source>Ignored, because they do not affect the answers: %1 and %2 more tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignored, because they do not affect the answers: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gufo runs the encoder of this model, but not its decoder, which would generate texts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n tensors that predict further tokens)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::LinesEdit</name>
    <message>
        <source>Texts, one in each line</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::LinkQuestion</name>
    <message>
        <source>Link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a page on %1 in the browser?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This link cannot be opened: it is not a web address.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::LoadPanel</name>
    <message>
        <source>This model cannot run: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> The architectures that it runs: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>V cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of the K cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of the V cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>K cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations, norms, logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What runs the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs on this machine, directly from the file; nothing is sent anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of physical cores is usually best: more threads compete for memory bandwidth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mapped from the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>independent of the context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model could not be loaded: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the KV cache is stored: f16 is the default, q8_0 takes half of that, q4_0 a quarter; f32 is exact. Keys are more sensitive to low precision than values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server cannot be used: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gufo starts it for this file and stops it when you unload the model or close the tab.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you write is sent to this server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (not available)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading… %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights are on %1, and running the model needs all of them: download it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot run this model: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights and intermediate results are sent to the other machines, without encryption.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama-server reads the model from a file of this computer, and it is on %1: download it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::LocalServer</name>
    <message>
        <source>%1 could not be started: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama-server has crashed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama-server has ended with code %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>llama-server cannot be started: no port of this computer is free</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::LockStepModel</name>
    <message>
        <source>%1, differs from the reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence of %1 from the reference, in nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL, nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position in the text, from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The next token: from the given text, or the reference&apos;s most likely one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The most likely token of %1, and its probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token %1 is &lt;tt&gt;%2&lt;/tt&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence of %1 from the reference, in nats, at least: the server reports its most likely tokens, and all others count as one</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::LockStepPage</name>
    <message>
        <source>no difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Once upon a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>divergence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures as &amp;CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load all files and run them on the text, token by token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files cannot be run on the same text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text for all files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text for all files; control tokens are written as &lt;s&gt; and so on. Ctrl+Enter runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens to generate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of tokens that the reference generates after the text; the other files evaluate the same tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the first position at which a file&apos;s most likely token differs from the reference&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluate the text, then generate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of all files by position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most likely tokens of all files at the selected position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop after the current token and keep the results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results appear token by token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where do they diverge?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files evaluate the same text token by token. The table shows each file&apos;s most likely next token and the divergence of its probabilities from the reference, which continues the text. The files must have the same vocabulary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first difference at token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;: same most likely token %2 %, KL divergence mean %3, largest %4 nats at token %5, %6</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;: same most likely token %2 %, KL divergence at least: mean %3, largest %4 nats at token %5 (from its most likely tokens; all others count as one), %6</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare a server that runs the reference&apos;s model, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A llama-server that runs the reference&apos;s model. It receives the text and one request for each token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key of the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is sent to this address only. If it is empty, the key is used that the Run page knows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is on a server: download it to run it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not available: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also run the reference with %1, in a separate process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also run the reference with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end of the given text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::LockStepPlot</name>
    <message>
        <source>KL divergence, nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 nats, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence at each position of the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>position in the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::LockStepRun</name>
    <message>
        <source>the text has no tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the models have no common vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text has no tokens to predict</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MainWindow</name>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1[*] — Gufo</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n models were opened together.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Compare these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy %1 from %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Open %n models, each in a tab of its own?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Open all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, %n threads</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New &amp;Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New &amp;Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Co&amp;mpare With…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run Side b&amp;y Side…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reopen &amp;Closed Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save with Opt&amp;ions…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export Comparison as &amp;HTML Report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export Comparison as &amp;JSON…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export Comparison as CS&amp;V…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore Last &amp;Session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore Session at St&amp;art</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close Ta&amp;b</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;view Changes…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rever&amp;t All Changes…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy as Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as &amp;TSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as &amp;Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Sidebar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Full Screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open Containing &amp;Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy File &amp;Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quantise…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Clear Recent Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Gufo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to copy here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Copied %n lines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Close Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close Other Tabs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy File Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no model file in %1 or the folders below it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching for models…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;List of Tabs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undone: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redone: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;onvert to GGUF…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (unsaved changes)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open A&amp;ddress…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do&amp;wnload…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Verify Against Original…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;In on the Plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;Out of the Plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the &amp;Whole Plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go to Key, Tensor, Token, Page or Command…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Split into Several Files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Merge into One File…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge LoRA &amp;Adapters…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure an &amp;Importance Matrix…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure &amp;Perplexity over a Text…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MapGrid</name>
    <message>
        <source>expert %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MapLegend</name>
    <message>
        <source>Colour scale: 2 to 8.5 bits per weight; not quantised: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MapPage</name>
    <message>
        <source>Quality map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norms and biases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quality-map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures as &amp;CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tensor in common</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use one colour scale for all files instead of one for each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also show roles without matrices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files have different architectures (%1), so their tensors cannot be compared. Their metadata can.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files have no tensors with the same name and shape, so their tensors cannot be compared. Their metadata can.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the figures do not show</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors, by block and role</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MapSection</name>
    <message>
        <source>Viridis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Full screen (F); Escape returns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows %1, columns %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; lines every %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; lines every %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight, %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MeasuredText</name>
    <message>
        <source>This file has no model that can run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model embeds texts and does not predict them, so this cannot be measured.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Memory</name>
    <message numerus="yes">
        <source>A context of %n tokens would fit.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Fits into the %1 of free memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Fits into the %1 of free memory with the full trained context of %n tokens.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Fits into the %1 of free memory, up to a context of %n tokens.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Needs %1 more than the %2 of free memory: parts of the file will be read from the disk again for every token, which is slow. A context of %n tokens would fit.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The weights do not fit into the %1 of free memory: parts of the file will be read from the disk again for every token, which is slow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache and buffers need %1, but only %2 are free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Even the shortest context does not fit; close other programs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An estimate, because Gufo&apos;s engine cannot run this model: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file contains no weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is not a complete model and cannot be run on its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of the model are missing from the file, so it needs more than these figures say.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 per token past the sliding windows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 per token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The memory cannot be estimated: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The memory is estimated from the keys of GGUF, which this file does not have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would fit into the %1 of free memory, but the model cannot be run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An estimate, because the model cannot be run: %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MemoryBar</name>
    <message>
        <source>%1 in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory needed and memory of this machine</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MemoryPanel</name>
    <message>
        <source>Type of the K cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of the V cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>K cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>V cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mapped from the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch %1, logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needed. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory needed to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>independent of the context</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MergeModel</name>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result id</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MergeSetDialog</name>
    <message>
        <source>Merge %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Merge…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Verify the tensor data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads the file again and compares the SHA-256 of all tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They become one file of %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the merged model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop merging %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MessageRow</name>
    <message>
        <source>Tool calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool calls as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move Up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool Calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a Picture&apos;s Placeholder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove a Picture&apos;s Placeholder</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n pictures</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>More options for this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The speaker; a template may support other roles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thoughts, passed as reasoning_content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No Text Is null</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the template receives as the content of a message that only calls tools: null or &quot;&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing: the content is &quot;&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing: the content is null</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataDiffModel</name>
    <message>
        <source>%1, %2 differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n missing</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other ids</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other scores</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other types</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Tokenizer, token by token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (reference)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataDiffPage</name>
    <message>
        <source>Filter keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy to…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table as &amp;CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys that differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differences within the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The metadata is the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files have the same keys with the same values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of %1 and %2 that differ: the first %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Id in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 of %n elements differ</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files have the same value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show equal keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the value to another file, as an edit of that model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File compared with the reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>metadata-differences</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataEdits</name>
    <message>
        <source>&amp;Add key…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;name…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;hoose token…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Load value from a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;vert this change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>De&amp;lete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the type of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Converting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Delete %n keys</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Load %1 from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no keys on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model cannot be edited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys can be moved only in the list, in file order and without a filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps the type %2. %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is unchanged: element %2 cannot be converted. %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All keys from %1 already exist with the same values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import keys from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Imported %n keys from %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataModel</name>
    <message>
        <source>Added; not in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Was called %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Was: %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moved to another place</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n elements changed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file contains this key twice. Runtimes read the first; this one can be deleted.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataPage</name>
    <message>
        <source>Copy &amp;value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Alt+V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy rows as &amp;text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy rows as TS&amp;V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy rows as &amp;Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copying</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter by key, value or meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add key…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write all keys and values to a JSON file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a key with its value (Ins)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filtering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file has no keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No key, value or meaning matches the filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 long, not saved yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at byte %2, %3 long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata and models (*.json %1);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import keys from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys by segment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Full keys in file order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import keys and values from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file contains this key twice; this one can only be deleted.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataView</name>
    <message numerus="yes">
        <source>%n keys</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Revert this change</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Metric</name>
    <message>
        <source>SQNR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>higher is closer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Signal to quantisation noise by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NMSE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower is closer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Normalised mean squared error by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Root mean square error by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine similarity by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest error by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits per weight by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor type by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean absolute error by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Equal weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of equal weights by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean KL divergence of the predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weighted SQNR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SQNR weighted by the importance matrix, by block and role</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetricLegend</name>
    <message>
        <source>Colour scale: %1 from %2 to %3 %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>identical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lowest of each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>highest of each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A corner marks figures that leave weights out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights left out</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ModelCard</name>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory, %1 tokens of context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Author</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Organisation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantised by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ModelDocument</name>
    <message>
        <source>Revert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert all changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is %1, which can be looked at, but not changed or written here: convert it to GGUF first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tensors of this model are being changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This was opened through a folder, a list or a piece of it: to change a file, open that file itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In %1, only the texts of the metadata can be changed here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ModelStatus</name>
    <message>
        <source>little-endian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>big-endian</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Alignment %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n shards</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shards</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 v%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ModelTab</name>
    <message>
        <source>Opening %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opened in %1, mapped read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has unsaved changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep my changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A shard of this model is missing or cannot be read, so it cannot be edited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They can be reapplied to the current file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read again, with the unsaved changes reapplied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The version read before is still shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A save of this file was interrupted. It has been undone: the file is as it was before the save.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A save of this file was interrupted. It has been completed: the file contains the changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not contacted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opened in %1; weights are fetched when they are looked at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model is on %1: download it to change or save it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model is on %1. Saving it here needs all of it: %2 are downloaded first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keys and the list of tensors are still those read before; the weights can no longer be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your unsaved changes are kept.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::OffloadField</name>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of layers whose weights are in the memory of GPUs and of other machines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machines that run llama.cpp&apos;s rpc-server and compute a part of the layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machines</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::OpenAddressDialog</name>
    <message>
        <source>&amp;Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Download…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Address of a model, or its name on a hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;List files</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::OpenModelChoice</name>
    <message>
        <source>no model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::OpeningView</name>
    <message>
        <source>Opening %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of opening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::OriginCheckDialog</name>
    <message>
        <source>This is the file of the server: its SHA-256 is the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its header and random parts, %1 in all, are those of the server&apos;s file. Only the whole check proves that all of it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is another file: its size differs from that of the server&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is another file: it differs between byte %1 and byte %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is another file: its SHA-256 differs from the one that the server states.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quick check: its size, its header and random parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Whole check: the SHA-256 of all its bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Take its metadata, if the weights are the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare %1 with its original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads the whole file on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For uploads whose template or keys were corrected: the changes are shown before they are saved, and no weights are fetched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Address of the original, or its name on a hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compare metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>All %n files: </source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the header on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The metadata is that of the server&apos;s file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The metadata differs, but the model cannot be changed now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the metadata of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n changes were made, which you can review, save or undo.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The changes were refused.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::OriginReport</name>
    <message>
        <source>the permutation of the rows of each head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the reversed permutation of the rows of each head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adding %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the transposition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the regrouping of rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the negative exponential</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the reciprocal</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The weights are those of that model, but %n keys differ.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Only a part is that model: %1 of %2 tensors are the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not that model: %1 of %2 tensors are the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing in the file: %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only in the file: %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of another shape: %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>identical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>identical as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>identical but for the last bit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>different</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not readable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 identical (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 identical after rounding to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 identical but for the last bit of computed weights (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 identical after quantisation to %2 (SQNR %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 quantised to %2 in another way, with the error of that type (SQNR %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Different: %1 (%2); together %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 of %3 blocks are as Gufo encodes them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not readable: %1 (%2); %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The conversion leaves out %n tensors of the origin (%1).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Keys with another value than the conversion writes: %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys that only describe the model and differ: %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equal without %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equal with %1, which this architecture does not need</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds the weights of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equal if the weights are first rounded to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>This is that model: all of %n tensors are %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This is that model but for %n tensors: %1 of %2 are %3%4.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>identical after rounding to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; %1 differs by %2 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; %1 differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys that the conversion writes and the file lacks: %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equal if %1 is inverted</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>This is that model, but %n tensors were written with a mistake, which is named below.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 holds the weights of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: experts are exchanged: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equal with %1 applied twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds the weights of expert %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest relative error is in %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::OriginVerdict</name>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the verdict is based on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder cannot be converted, so names are compared as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some tensors have the weights of other tensors.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Overview</name>
    <message>
        <source>size not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, also the output (tied)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1–%2 by block</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n experts</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n experts, %1 used</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>recurrent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dense</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n blocks</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens, trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>licence text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %1 of %n files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file type %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feed-forward length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expert feed-forward length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experts used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key/value heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key head length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value head length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sliding window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RMS epsilon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm epsilon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE scaling factor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State inner size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolution kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time step rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>WKV head size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tied to token_embd</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LoRA adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multimodal projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n adapted weights</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale: alpha / rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>of %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n datasets</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Entries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens read</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::OverviewPage</name>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits per weight by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes by tensor type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A vocabulary without weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tensors in this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No blocks in this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address comes from the file and has not been checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file contains only the vocabulary of a model. It is on the Tokenizer page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its metadata is on the Metadata page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tensor name belongs to a block, so there is no map. All tensors are on the Tensors page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare this model with others (Ctrl+Shift+D)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write this overview and the findings to a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert this model to GGUF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make vectors of texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert the weights to GGUF. Gufo does not run the code that the findings name.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairHistograms</name>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Histogram of the weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Histogram of the errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights per bin, log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error: file − %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting errors</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairList</name>
    <message>
        <source>Worst first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By metric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By share of error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors, the worst first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors, %1 without counterpart</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors with the largest share of the total error first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors that are farthest from the reference in any file first</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairScatter</name>
    <message>
        <source>Counting pairs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairStatisticsModel</name>
    <message>
        <source>missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MAE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NMSE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SQNR dB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Equal</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairStatisticsTable</name>
    <message>
        <source>Figures of the tensor</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairTableModel</name>
    <message>
        <source>missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>extra</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not be compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the summed squared error of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of error</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PerplexityDialog</name>
    <message>
        <source>Perplexity of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluated together; the second half of each window is scored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compare with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Perplexity says how well the model predicts the text: less is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2. The KL divergence needs models of the same vocabulary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluating %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop measuring %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was evaluated so far is discarded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ratio of the perplexities</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence, mean (nats)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence, %1 % of the positions below (nats)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KL divergence, largest (nats)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change of the following token&apos;s probability, RMS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same most likely token</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tokens of %1 were scored.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no window and were left out.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::PictureMenu</name>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy as picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture &amp;options…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PictureOptionsDialog</name>
    <message>
        <source>As large as in the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture Options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixels of a PNG picture for each pixel of its size. SVG and PDF have no pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As in the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG &amp;resolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PlanKeyModel</name>
    <message>
        <source>constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PlanTensorModel</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the architecture has no such tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>±%1: %2</source>
        <comment>largest error of a weight: what is done</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Playground</name>
    <message>
        <source>Special tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>BOS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>EOS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type or paste a text to see its tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text to tokenize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text such as &lt;s&gt; stands for the control token of that name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the ids of all tokens, separated by spaces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token at the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Only the first %n characters fit here; gufo-cli tokenize takes texts of any length.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No text can be tokenized: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 bytes/token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the beginning-of-text token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the end-of-text token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: the colours belong to an earlier text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the tokens with their ids below the text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PlotFormat</name>
    <message>
        <source>&amp;PNG…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;SVG…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P&amp;DF…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ProblemStrip</name>
    <message>
        <source>Nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems of the template</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ProjectionPlot</name>
    <message>
        <source>Lines in the plane of their first two principal components</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1  line %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Component %1 (%2 % of the variance)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::PromptPanel</name>
    <message>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template&apos;s default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offer the model an example tool that reports the weather</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is used instead of the model&apos;s own template: the quality of answers may suffer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file has no chat template. %1 is used instead, which the model may not be trained for: the quality of answers may suffer. Completion needs no template.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not used in a completion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model should know, or what role it should take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not used in a completion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precedes the conversation; not all templates support it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The format in which the model reads the conversation; drafts on the Template page are used as they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the model should think before it answers; the template supports this option</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list, as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not supported by this template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Functions that the model may call; you enter their results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This template does not support tools</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::QualityMap</name>
    <message>
        <source>Map of differences by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block %1 has no %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>(%n parts)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>absent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not compared yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The reference does not have it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not have it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot be compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not be compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Identical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n norms and biases are in the list</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more tensors are in the list</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shape differs: cannot be compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All weights are equal, but not the bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Equal where the weights can be compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not finite or cut off</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::QuantizeDialog</name>
    <message>
        <source>Tensors whose name matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Types of some tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quantise…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open It</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantise %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loses more than quantising the original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attn_v|ffn_down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of tensors, a regular expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of these tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 bits per weight; before: %3, %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the quantised model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Requantise tensors that are already quantised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantisation type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regular expressions; the first match counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a regular expression: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors get another type, because their rows are not whole blocks of the intended type.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Quantise the model in F32, F16 or BF16 instead, or tick the box above, which loses more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compare with the Original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop quantising %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RealBox</name>
    <message>
        <source>%1 is not a number from %2 to %3.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RecentModel</name>
    <message>
        <source>not found in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, %n shards</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
It has changes that were not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RecentTable</name>
    <message>
        <source>Recent files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from List</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear List</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RenameDialog</name>
    <message>
        <source>Regular &amp;expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The %n selected tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Which tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Replace with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;In</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>\1 to \9 stand for the groups of the expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not a regular expression: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n new names are not possible.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors will be renamed.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RenamingModel</name>
    <message>
        <source>another tensor has this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conflict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name would be empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes; runtimes allow %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>several tensors would get this name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RenderedTemplates</name>
    <message>
        <source>Not rendered: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RenderingView</name>
    <message>
        <source>Rendering</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Report</name>
    <message>
        <source>Embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recurrent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reference: %1. Comparison by Gufo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 by block and role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size against quality</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups of tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors, worst first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all %1 identical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 identical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 different</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 renamed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 extra</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of another shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 not comparable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits per weight and %1 of each group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>identical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tensor differs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other %1 that differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more are in the CSV and JSON exports.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>different</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renamed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>extra</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>absent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n matrices, %1 identical</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>worst expert: %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing, extra or reshaped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n elements differ</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n characters</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Tokens of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 missing, %2 new, %3 under other ids, %4 with other scores, %5 of other types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n keys are the same in all files.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>File size, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error |a − b|</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Magnitude of the weight |a|</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error (RMS)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not shown, because they are identical in all files:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size and quality of each file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distribution of errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of weights by error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative error by weight magnitude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest error of %1: %2 in %3 at row %4, column %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n pairs with NaN or infinity are left out</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>One of the files ends within its tensor: only the part that both contain was compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n not finite</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>cut off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparison with the origin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors have another shape</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors are missing</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors cannot be compared</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of another shape</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n missing</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not comparable</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Weighted SQNR: errors are weighted by %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was quantised with an importance matrix (%2). These figures weight all errors equally, so they do not show what it gained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and its origin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 holds the weights of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exchanged tensors (%1): %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>against %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>efficient frontier: no smaller file is as close; the marks of the other files are hollow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 against %2 (reference), %n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RepositoryModel</name>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projector</source>
        <comment>of images or sounds</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <comment>template</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as most files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another one</source>
        <comment>template</comment>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n files)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n shards are missing in the repository.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>To run the model with its trained context, but at most 4,096 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not the base model&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RepositoryPage</name>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only what &amp;fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Read headers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Download…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide what does not fit into the memory that is free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare two to eight of these, without downloading them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the headers that are missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models in the repository</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>commit %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no licence stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>licence %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading headers</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n models, %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>There is no GGUF file in this repository.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Template…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the chat template differs from that of the base model, or of most files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gated: files are only sent to users who have accepted its conditions</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n fit into the %1 of free memory</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RepositoryTab</name>
    <message>
        <source>the list of files on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not contacted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contacting %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not be listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Listed from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ReviewDialog</name>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save to File…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes — %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n changes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Export the changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown (*.md);;Text (*.txt)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is the same as in its file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert the selected change (Delete)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ReviewModel</name>
    <message>
        <source>little-endian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>big-endian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key or tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert this change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(other line endings)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RopeField</name>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RoPE scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scaling of positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of the scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as in the file: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unscaled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>base %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allows contexts longer than the model was trained with, at some loss of quality. YaRN loses less than linear scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The factor by which the context becomes longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base of the RoPE frequencies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base of the RoPE frequencies; a higher base also allows longer contexts</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RunPage</name>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Generating, %n tokens in %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the prompt…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Ready. The last answer: %n tokens in %1, %2 of %3 prompt tokens read</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Ready, loaded in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context shift on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context shift off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no answer: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (line %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The grammar cannot be used: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tools cannot be used: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Reading the prompt: %1 of %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The template cannot render this conversation: %1%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pictures of the conversation on the Template page are omitted: this engine supports text only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address was written by the model and may be wrong or unsafe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tokens are needed, and the context holds %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The last message does not fit on its own: shorten it, or load the model with a larger context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is not loaded: the conversation can be read, but not continued.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n kept prompts could not be used, because their files are damaged or belong to another model.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Switch on &quot;%1&quot; to leave out the oldest messages, or load the model with a larger context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This engine leaves out no older messages: begin a new conversation, or give it a larger context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model has read %1 in your text as control tokens. &quot;%2&quot; keeps them as text.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RunStrip</name>
    <message>
        <source>Speed and context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % of peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generation: tokens of the answer per second. Prompt: tokens of the question and of what precedes it, per second.
Memory read: weights and KV cache; the peak is the read bandwidth measured with the same number of threads. A small model is read from the processor&apos;s cache, and has no such limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % of drafts accepted</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::RunToolBar</name>
    <message>
        <source>Mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Questions and answers through the model&apos;s chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Completion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a new conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename or delete the conversation; import one; run models side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shade by probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the conversation as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling and engine (Ctrl+,)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON with tokens…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache evaluated prompts on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the engine has computed from conversations is then kept in your cache folder, up to 4 GiB, so that it need not read them again when a model is loaded later. It is deleted with its conversation, or when this is switched off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model continues a text without a template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shade each token by its probability. Point at a token, or select it with the arrow keys, to see the alternatives</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::SamplerPanel</name>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY strength</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XTC threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Typical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-n-sigma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dynamic range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirostat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirostat rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY, XTC, typical, mirostat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grammar and JSON schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop strings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the preset:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the grammar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-n-sigma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>typical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XTC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temperature 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The randomness of sampling. 0 always takes the most likely token; 1 uses the model&apos;s probabilities; higher values make them more even.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps this many of the most likely tokens. 0: all of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the most likely tokens up to this total probability. 1: all of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removes tokens less likely than this fraction of the most likely one. 0: off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes recently used tokens less likely: their positive logits are divided by this, negative ones multiplied. 1: off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Subtracted once from the logit of each recently used token. 0: off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Subtracted from the logit of a token for each recent use. 0: off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Penalty range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of recent tokens that the three penalties apply to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Don&apos;t repeat yourself: penalises tokens that would extend a repetition, increasingly with its length. 0: off; 0.8 is common.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The factor by which the penalty grows with each repeated token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repetitions up to this many tokens are not penalised.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XTC probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exclude top choices: the probability of removing all tokens above the threshold except the least likely of them. 0: never.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of at least this probability are top choices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the tokens whose surprise is closest to the entropy, up to this total probability. 1: off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps tokens whose logit is within this many standard deviations of the largest. 0: off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Varies the temperature by up to this amount with the entropy of the next token. 0: off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the surprise of the text constant instead of using the samplers that remove tokens: version 1 or 2. 0: off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirostat target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The target surprise of Mirostat in bits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The learning rate of Mirostat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predefined settings; you can save your own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The random seed: the same seed, settings and text give the same answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this seed for every answer; otherwise each answer gets a new one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum answer length in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An answer stops after this many tokens and can be continued. 0: no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop strings, one per line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One per line; \n is a line break</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An answer ends before the first of these texts. The template&apos;s own end marker need not be listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tokens that end an answer are never sampled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete this preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignore end of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end of text ignored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRY allowed length</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::SamplerPreset</name>
    <message>
        <source>Model default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Creative</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::SaveDialog</name>
    <message>
        <source>&amp;Verify the tensor data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reserve 256 KiB in the header when it grows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save with options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Safety</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads %1 before and after, and compares their SHA-256.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not possible: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The safe strategy that writes the least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>So that later changes only patch the header, in the key gufo.reserved or, in safetensors, as spaces. Files under %1 get none.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ScoredLinesModel</name>
    <message>
        <source>There is no figure: the vector of the text is zero or has elements that are no numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::SecretStore</name>
    <message>
        <source>it refused access</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::SeriesHistogram</name>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ServerPanel</name>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server that runs the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A llama-server, or another server with OpenAI&apos;s interface</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key of the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is sent to this address only, and forgotten when the program ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the server what it is and whether it runs this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the address from the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection is not encrypted: others in the network can read what is sent, with the key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers on the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of layers whose weights are in the memory of the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machines that run llama.cpp&apos;s rpc-server and compute a part of the layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further arguments of llama-server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log of llama-server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What llama-server writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start one here (llama-server is not installed)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start llama-server on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system&apos;s secret store cannot be used (%1): the key is forgotten when the program ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is sent to this address only. Once the server has answered, it is kept in the system&apos;s secret store.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ServerStrip</name>
    <message>
        <source>Download…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 received</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 received from %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ShadeLegend</name>
    <message>
        <source>likely 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0.01 unlikely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shades: from none for likely tokens to the strongest for a probability of 0.01 or less</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::SideBySideModel</name>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Sidebar</name>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::SimilarityMap</name>
    <message>
        <source>Similarity of each pair of lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 “%2”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine %1: line %2 and line %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::SliceSelector</name>
    <message>
        <source>Rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dimension of the rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dim %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dim %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index in dimension %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::SplitDialog</name>
    <message>
        <source>Split %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Split…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first file contains only the &amp;metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Verify the tensor data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by number of tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How to split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> GB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor data of a file at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors of a file at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads the files again and compares the SHA-256 of all tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;At most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything fits into one file: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n files: %1 to %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Split into files that begin with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 exists already. Choose another name, or remove the file first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop splitting %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::StartPage</name>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reopen closed tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See what is inside a model, and change it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop model files here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the small chat model that comes with Gufo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter recent files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models that you open appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Restore session (%n tabs)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Any GGUF version; shard sets open as one model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open address, or a repository</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>or a folder with models in it, or a link to one</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::StatisticsModel</name>
    <message>
        <source>Minimum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Std deviation σ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean |w|</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skewness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Excess kurtosis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NaN, infinite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first is weight %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::StatusStrip</name>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TabBar</name>
    <message>
        <source>Open models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TabEditing</name>
    <message>
        <source>The draft of the unsaved changes: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes from %1 — %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are unsaved changes from %1, made before the file was changed on disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are unsaved changes from %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no changes to save.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save %1 as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is open in another tab. Close it there, or choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is being saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving as %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert all changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is being edited in another window or program. Changes made here are lost unless you save, and saving replaces the content of the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be saved in this way: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving was cancelled. The file is unchanged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 should be saved under another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The changes are kept, and the file is unchanged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save here anyway</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert the unsaved change of %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Revert all %n unsaved changes of %1?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Undo restores them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are unsaved changes from %1, but they cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving by %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat template has an error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Programs that use this template cannot chat with the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save anyway</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has not been saved, so that nothing is lost. Your changes are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights that were read before no longer exist, so this version cannot be saved under another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep my changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the file again and make the changes there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reload</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TabStrip</name>
    <message>
        <source>New tab (Ctrl+T)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List of tabs (Ctrl+Shift+A)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List of tabs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (unsaved changes)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateBox</name>
    <message>
        <source>Chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (draft)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateDiffPage</name>
    <message>
        <source>Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Against</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines of both templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the files has one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The templates are the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n lines differ</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>File compared with the reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text of both templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rendered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What both templates make of the same conversations: a question, several turns, tools, thoughts and others</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n conversations</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 rendered differently</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neither renders any of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They render the same: %1 tried, %2 refused by both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They render the same: %1 tried</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateDiffView</name>
    <message numerus="yes">
        <source>  … %n unchanged lines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Difference from the saved template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The template has no unsaved changes.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateDifferenceDialog</name>
    <message>
        <source>Chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the base model&apos;s template to that of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the template of most files to that of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differences of the templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n lines removed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines added</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateEditor</name>
    <message>
        <source>Chat template</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplatePage</name>
    <message>
        <source>Edit %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n lines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Only the first %n of %1 characters are shown.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Last rendering: the conversation is not valid JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last working version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n errors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Jinja</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rendered in under 1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rendered in %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line %1, column %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours: control and user-defined tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>control</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>user-defined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat with draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the rendering as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show white space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No chat template in this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The templates of the model: tokenizer.chat_template and tokenizer.chat_template.NAME</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the template; Return goes to the next, Shift+Return to the previous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load from File…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save to File…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add Template…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete This Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Special tokens are marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All tokens are marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rendering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add template %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete template %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the template, for example tool_use or rag:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load a template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Templates (*.jinja *.jinja2 *.j2 *.txt tokenizer_config.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jinja templates (*.jinja)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This template has not been saved to the file yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert to the template in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last working version, before line %1 was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat programs need a template that gives the format in which the model was trained to read conversations. Base models and adapters have none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the differences from the template in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat with the model through this template, including unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key %1 already exists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Diff from saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat templates cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>How answers are written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has been rendered yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last rendering, before the conversation was changed.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorDetail</name>
    <message>
        <source>&amp;Histogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Map of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tensor&apos;s facts and statistics as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file has metadata only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 weights</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A dimension of this tensor is 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No bytes to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file ends before this tensor starts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values of type %1 cannot be decoded. These are its encoded bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Dequantised %1 weights in %2 ms</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Read %1 weights in %2 ms</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Reading weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File offset %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Block %1 bytes, %n weights</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bytes per weight</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Alignment %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tensor selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select one in the list to see its contents.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file ends within this tensor: %1 of %2 are present.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not fetched yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights of this tensor are on %1. Its histogram, statistics and map need all of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch the weights of this tensor from %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorEdits</name>
    <message>
        <source>Re&amp;name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename by &amp;pattern…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re&amp;vert this change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>De&amp;lete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps its name: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename a tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Rename %n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Delete %n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Move %n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>I&amp;mport tensors from another model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors can be moved only in the table, in file order and without a filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import %1 from %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Import %n tensors from %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorExport</name>
    <message>
        <source>Values as &amp;NumPy array…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values as &amp;CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Little-endian 32-bit floats (*.f32)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoded &amp;bytes…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoded bytes (*.bin)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy as picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values as raw &amp;floats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture &amp;options…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Figures as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export figures</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorImportModel</name>
    <message>
        <source>added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replaces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Effect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>incomplete in its file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has an unknown type</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorList</name>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tree by block, then role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tree by role, then block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns and options of the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Options of the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tree of tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter is a &amp;regular expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Expand all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Collapse all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;olumns</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 weights</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n analysed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Fetch %1 to sort all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors whose weights are still on %1 come last</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorTreeModel</name>
    <message>
        <source>several</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorsPage</name>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TextPane</name>
    <message>
        <source>Copy the whole value as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps its value. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>str, %1 bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n lines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Shown with escapes: \r, \xNN for a byte, \\ for a backslash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, of which the first %2 are shown; Copy copies all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too long to be edited here. Use its context menu in the table to load it from a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 Escape restores the text as it was.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenCard</name>
    <message>
        <source>&lt; 0.001 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue from here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates of the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>id %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, no. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 all others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>entropy %1 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removed by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, sampled as no. %2 of %3 remaining candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the answer up to and including this token, and generate the rest again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample another candidate, and generate the rest again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this token instead, and generate the rest again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probabilities after the samplers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no id reported</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenDetails</name>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to this token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stored as</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Stands for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Used as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge rule %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds BOS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds EOS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, not in the vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a token to see its details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pre-tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds a leading space</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenEdit</name>
    <message>
        <source>untyped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>normal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>control</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>user-defined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>byte</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1  id %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, score %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenFlow</name>
    <message>
        <source>Tokens with their ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1  id %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenModel</name>
    <message>
        <source>Id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the token as the file stores it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes of text that the token stands for, hexadecimal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merged from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the merge rule that produces it, and its parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Was: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Id of the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its log-probability, or the order of its merge</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenPicker</name>
    <message>
        <source>Text or id of a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenizerPage</name>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tokens at the end, with their scores and types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit	F2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Type of the selected tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add tokens…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Change the type of %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Changing types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Add %n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tokens…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>merge rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge rules in rank order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type of token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vocabulary cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokenizer.ggml.tokens is %1, not a list of strings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No vocabulary in this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linking tokens and merges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not in the vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not hexadecimal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No token %1; the last is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text as stored or as decoded, or hexadecimal bytes: E2 96 81</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to one of the file&apos;s special tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has no tokenizer.ggml.tokens. Adapters, projectors and shards after the first usually have none.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ToolDialog</name>
    <message>
        <source>&amp;Open It</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ToolsEdit</name>
    <message>
        <source>A list of tools as JSON: [{&quot;type&quot;: &quot;function&quot;, &quot;function&quot;: {…}}]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Valid JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not valid JSON</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TradeOff</name>
    <message>
        <source>K-quants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>I-quants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not quantised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recurrent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other tensors</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TradeOffModel</name>
    <message>
        <source>reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frontier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running it takes %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TradeOffPage</name>
    <message>
        <source>Trade-off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quality</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frontier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trade-off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures as &amp;CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files by size and quality</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points appear as tensors are compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the efficient frontier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % of the reference&apos;s size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No file differs from the reference in these tensors by this metric.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory to run the file, with a context of %1 tokens: the best file that fits is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No file runs within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best that fits into %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of memory to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size against quality</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TradeOffPlot</name>
    <message>
        <source>Size against quality</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on the efficient frontier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>efficient frontier</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Transcript</name>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TurnView</name>
    <message>
        <source>the context is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the grammar allows no further token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended by a stop string</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete, with what follows</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean probability %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped at the maximum length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no tokens: the model ended its answer immediately</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask this instead; the other version is kept (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this as the answer; the other version is kept (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended by the server&apos;s content filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused by the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The %n oldest messages do not fit into the context and were left out.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n older tokens do not fit into the context and were left out.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events of the server could not be read and were skipped: the answer may be incomplete.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TypeBar</name>
    <message>
        <source>Bytes by tensor type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other types</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, %n types</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::TypeDelegate</name>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::UnsavedQuestion</name>
    <message numerus="yes">
        <source>%n unsaved changes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is being saved. Close it when that is done, or cancel the save first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The changes of models that are not checked are lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has %1. Discarded changes cannot be restored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text being typed in %1 is not valid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go back</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Save the changes to %n models?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ValueEditor</name>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a token by its text (F4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With escapes: \n, \t, \xNN for a byte, \\ for a backslash</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ValueGrid</name>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First column</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ValueGridModel</name>
    <message>
        <source>Row %1, column %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ValueProblem</name>
    <message>
        <source>%1 must be a whole number, decimal or hexadecimal with 0x.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 must be a number, nan, inf or -inf.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A bool must be true or false.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ranges from %2 to %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only 0 and 1 can be converted to a bool.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This number is out of range for %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot represent this value exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrays and single values cannot be converted into each other.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::ValuesSection</name>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decimal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hex</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Byte</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stored value: the bits of a number, or the code of a quantised weight</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::VectorView</name>
    <message>
        <source>What the plot shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cosine of each pair of lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lines in the plane of their first two principal components</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen text, in the order of the lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most similar lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most similar to text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outlined: the lines most similar to the chosen one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the beginning of each line beside its point</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::Vocabulary</name>
    <message numerus="yes">
        <source>its vocabulary has %n tokens, that of the reference %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>its token %1 is &quot;%2&quot;, that of the reference &quot;%3&quot;</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::WaitingView</name>
    <message>
        <source>Contact %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is on %1. Nothing has been sent there for this tab yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::WhatIfButton</name>
    <message>
        <source>What If</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;This tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, all %n tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n tensors of the &amp;role %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected tensors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The %1 &amp;selected tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The size and error of this tensor as other types</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::WhatIfDialog</name>
    <message>
        <source>&amp;Quantise with This Type…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>several types</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, %2 weights, %3</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 weights</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>All weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Importance matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantise the model with these tensors in the chosen type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>All %1 weights</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 weights</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The importance matrix has no entry for these tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sample is spread evenly over the tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Anal&amp;yse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the table as text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::WhatIfModel</name>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits/weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SQNR dB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Signal to quantisation noise, −10·log10 NMSE: more is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NMSE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Squared error as a share of the squared weights: less is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Root of the mean squared error: less is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weighted dB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With imatrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The change of the file size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SQNR with errors weighted by the importance matrix, quantised without using it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SQNR with errors weighted by the importance matrix, quantised with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Rows of these tensors are not whole blocks of %n weights.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Current type</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>gufo::ui::WindowedTable</name>
    <message>
        <source>Select all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search matches none of the %1 %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, the first %2 shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1–%2 of %3 %4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
