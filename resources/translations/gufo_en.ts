<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Details</name>
    <message numerus="yes">
        <source>%1 elements</source>
        <translation>
            <numerusform>%1 element</numerusform>
            <numerusform>%1 elements</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the importance matrix has %1 values but %2 counts for it</source>
        <translation>
            <numerusform>the importance matrix has %1 value but %2 counts for it</numerusform>
            <numerusform>the importance matrix has %1 values but %2 counts for it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>its importance matrix has %1 values, but the tensor has %2 columns: it belongs to another model</source>
        <translation>
            <numerusform>its importance matrix has %1 value, but the tensor has %2 columns: it belongs to another model</numerusform>
            <numerusform>its importance matrix has %1 values, but the tensor has %2 columns: it belongs to another model</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>rows of %1 weights are not whole blocks of %2, which hold %3</source>
        <translation>
            <numerusform>rows of %1 weight are not whole blocks of %2, which hold %3</numerusform>
            <numerusform>rows of %1 weights are not whole blocks of %2, which hold %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the text has %1 tokens, too few for a window of %2</source>
        <translation>
            <numerusform>the text has %1 token, too few for a window of %2</numerusform>
            <numerusform>the text has %1 tokens, too few for a window of %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tokens cannot be removed: the context is shorter</source>
        <translation>
            <numerusform>%1 token cannot be removed: the context is shorter</numerusform>
            <numerusform>%1 tokens cannot be removed: the context is shorter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>its data have %1 bytes, but its shape needs %2</source>
        <translation>
            <numerusform>its data have %1 byte, but its shape needs %2</numerusform>
            <numerusform>its data have %1 bytes, but its shape needs %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes follow the last tensor</source>
        <translation>
            <numerusform>%1 byte follows the last tensor</numerusform>
            <numerusform>%1 bytes follow the last tensor</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the folder contains %1 models: choose one of its files</source>
        <translation>
            <numerusform>the folder contains %1 model: choose one of its files</numerusform>
            <numerusform>the folder contains %1 models: choose one of its files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the repository has %1 models, so that one must be named: %2</source>
        <translation>
            <numerusform>the repository has %1 model, so that one must be named: %2</numerusform>
            <numerusform>the repository has %1 models, so that one must be named: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors have another name, type, shape or place in the file on the server: %2</source>
        <translation>
            <numerusform>%1 tensor has another name, type, shape or place in the file on the server: %2</numerusform>
            <numerusform>%1 tensors have another name, type, shape or place in the file on the server: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>none of the %1 entries of the importance matrix, such as %2, is for a tensor of the model: it belongs to another model</source>
        <translation>
            <numerusform>the only entry of the importance matrix, %2, is for no tensor of the model: it belongs to another model</numerusform>
            <numerusform>none of the %1 entries of the importance matrix, such as %2, is for a tensor of the model: it belongs to another model</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the repository lacks %1 shards of the model, such as part %2 of %3</source>
        <translation>
            <numerusform>the repository lacks part %2 of %3 of the model</numerusform>
            <numerusform>the repository lacks %1 shards of the model, such as part %2 of %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the text has %1 tokens, and all heads of a block are shown for at most %2; choose one head</source>
        <translation>
            <numerusform>the text has %1 token, and all heads of a block are shown for at most %2; choose one head</numerusform>
            <numerusform>the text has %1 tokens, and all heads of a block are shown for at most %2; choose one head</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message numerus="yes">
        <source>A row of %1 weights cannot be stored as %3, whose blocks hold %2.</source>
        <translation>
            <numerusform>A row of %1 weight cannot be stored as %3, whose blocks hold %2.</numerusform>
            <numerusform>A row of %1 weights cannot be stored as %3, whose blocks hold %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %1 bytes of its data lie past the end of the file.</source>
        <translation>
            <numerusform>The last byte of its data lies past the end of the file.</numerusform>
            <numerusform>The last %1 bytes of its data lie past the end of the file.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The file ends too early: %1 tensors lack %2 bytes in all.</source>
        <translation>
            <numerusform>The file ends too early: %1 tensor lacks %2 bytes.</numerusform>
            <numerusform>The file ends too early: %1 tensors lack %2 bytes in all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes follow the end of the tensor data and belong to nothing.</source>
        <translation>
            <numerusform>%1 byte follows the end of the tensor data and belongs to nothing.</numerusform>
            <numerusform>%1 bytes follow the end of the tensor data and belong to nothing.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes between header and tensors are not zero.</source>
        <translation>
            <numerusform>%1 byte between header and tensors is not zero.</numerusform>
            <numerusform>%1 bytes between header and tensors are not zero.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The file ends %1 bytes before the next multiple of the alignment; some runtimes refuse it.</source>
        <translation>
            <numerusform>The file ends %1 byte before the next multiple of the alignment; some runtimes refuse it.</numerusform>
            <numerusform>The file ends %1 bytes before the next multiple of the alignment; some runtimes refuse it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 further findings of the kind %2 are not listed.</source>
        <translation>
            <numerusform>%1 further finding of the kind %2 is not listed.</numerusform>
            <numerusform>%1 further findings of the kind %2 are not listed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The parts hold %2 of the %1 tensors that are announced.</source>
        <translation>
            <numerusform>The parts hold %2 of the %1 tensor that is announced.</numerusform>
            <numerusform>The parts hold %2 of the %1 tensors that are announced.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 query heads cannot share %2 key and value heads evenly.</source>
        <translation>
            <numerusform>%1 query head cannot share %2 key and value heads.</numerusform>
            <numerusform>%1 query heads cannot share %2 key and value heads evenly.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 dimensions cannot be rotated in pairs in a head of %2.</source>
        <translation>
            <numerusform>%1 dimension cannot be rotated in pairs in a head of %2.</numerusform>
            <numerusform>%1 dimensions cannot be rotated in pairs in a head of %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 experts are used of %2.</source>
        <translation>
            <numerusform>%1 expert is used of %2.</numerusform>
            <numerusform>%1 experts are used of %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It has %1 values for %2 blocks.</source>
        <translation>
            <numerusform>It has %1 value for %2 blocks.</numerusform>
            <numerusform>It has %1 values for %2 blocks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The names of %1 tensors are not known, this one among them.</source>
        <translation>
            <numerusform>The name of this tensor is not known.</numerusform>
            <numerusform>The names of %1 tensors are not known, this one among them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The tensor has rows for %1 tokens, the vocabulary has %2.</source>
        <translation>
            <numerusform>The tensor has rows for %1 token, the vocabulary has %2.</numerusform>
            <numerusform>The tensor has rows for %1 tokens, the vocabulary has %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %3 blocks have no tensors; the first is block %2.</source>
        <translation>
            <numerusform>%1 of %3 blocks has no tensors: block %2.</numerusform>
            <numerusform>%1 of %3 blocks have no tensors; the first is block %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 weights are not numbers and %2 are infinite; the first is weight %3.</source>
        <translation>
            <numerusform>%1 weight is not a number and %2 are infinite; the first is weight %3.</numerusform>
            <numerusform>%1 weights are not numbers and %2 are infinite; the first is weight %3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The values of %1 tensors cannot be read.</source>
        <translation>
            <numerusform>The values of %1 tensor cannot be read.</numerusform>
            <numerusform>The values of %1 tensors cannot be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 merges name tokens that the vocabulary lacks; the first is %2.</source>
        <translation>
            <numerusform>%1 merge names tokens that the vocabulary lacks: %2.</numerusform>
            <numerusform>%1 merges name tokens that the vocabulary lacks; the first is %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has %2 elements for %3 tokens.</source>
        <translation>
            <numerusform>%1 has %2 element for %3 tokens.</numerusform>
            <numerusform>%1 has %2 elements for %3 tokens.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The bytes of %1 tokens are not valid UTF-8; this is the first.</source>
        <translation>
            <numerusform>The bytes of this token are not valid UTF-8.</numerusform>
            <numerusform>The bytes of %1 tokens are not valid UTF-8; this is the first.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tokens look like control tokens but have the type of text; the first is %2.</source>
        <translation>
            <numerusform>%1 token looks like a control token but has the type of text: %2.</numerusform>
            <numerusform>%1 tokens look like control tokens but have the type of text; the first is %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its type does not determine its size; the %1 bytes up to the next tensor are shown.</source>
        <translation>
            <numerusform>Its type does not determine its size; the %1 byte up to the next tensor is shown.</numerusform>
            <numerusform>Its type does not determine its size; the %1 bytes up to the next tensor are shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What follows the last tensor is not a tensor; the remaining %1 bytes are not shown.</source>
        <translation>
            <numerusform>What follows the last tensor is not a tensor; the remaining %1 byte is not shown.</numerusform>
            <numerusform>What follows the last tensor is not a tensor; the remaining %1 bytes are not shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It ends after %1 bytes of a storage of %2 bytes.</source>
        <translation>
            <numerusform>It ends after %1 byte of a storage of %2 bytes.</numerusform>
            <numerusform>It ends after %1 bytes of a storage of %2 bytes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors are slices of tensors of the first file; each of the %2 files has a part of their rows or columns.</source>
        <translation>
            <numerusform>%1 tensor is a slice of a tensor of the first file; each of the %2 files has a part of its rows or columns.</numerusform>
            <numerusform>%1 tensors are slices of tensors of the first file; each of the %2 files has a part of their rows or columns.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors of the shards are not in the list of shards; other programs would not load them.</source>
        <translation>
            <numerusform>%1 tensor of the shards is not in the list of shards; other programs would not load it.</numerusform>
            <numerusform>%1 tensors of the shards are not in the list of shards; other programs would not load them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The tokenizer has %1 tokens, but the model has %2 rows for them. The others became unused tokens.</source>
        <translation>
            <numerusform>The tokenizer has %1 token, but the model has %2 rows for them. The others became unused tokens.</numerusform>
            <numerusform>The tokenizer has %1 tokens, but the model has %2 rows for them. The others became unused tokens.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The tokenizer has %1 tokens, but the model has only %2 rows for them. The last tokens were left out.</source>
        <translation>
            <numerusform>The tokenizer has %1 token, but the model has only %2 rows for them. The last tokens were left out.</numerusform>
            <numerusform>The tokenizer has %1 tokens, but the model has only %2 rows for them. The last tokens were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The rule %1 is the nearest one that runtimes know; it splits %2 of the %3 words of a check text differently.</source>
        <translation>
            <numerusform>The rule %1 is the nearest one that runtimes know; it splits %2 of the %3 words of a check text differently.</numerusform>
            <numerusform>The rule %1 is the nearest one that runtimes know; it splits %2 of the %3 words of a check text differently.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 was opened. %2 subfolders contain models, too, such as %3.</source>
        <translation>
            <numerusform>%1 was opened. %2 subfolder contains a model, too: %3.</numerusform>
            <numerusform>%1 was opened. %2 subfolders contain models, too, such as %3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors (%4 is the first) have type %2, which is %3 in ggml, but their sizes are not those of %3: another program uses the number for a type of its own. Their bytes are shown and kept, but not their values.</source>
        <translation>
            <numerusform>The tensor %4 has type %2, which is %3 in ggml, but its size is not that of %3: another program uses the number for a type of its own. Its bytes are shown and kept, but not its values.</numerusform>
            <numerusform>%1 tensors (%4 is the first) have type %2, which is %3 in ggml, but their sizes are not those of %3: another program uses the number for a type of its own. Their bytes are shown and kept, but not their values.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Recipes</name>
    <message numerus="yes">
        <source>%n tensors that are usually not quantised change their type (%1). Other programs may be unable to run the file.</source>
        <translation>
            <numerusform>%n tensor that is usually not quantised changes its type (%1). Other programs may be unable to run the file.</numerusform>
            <numerusform>%n tensors that are usually not quantised change their type (%1). Other programs may be unable to run the file.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors are quantised without importance, because the importance matrix has no values for them: %1.</source>
        <translation>
            <numerusform>%n tensor is quantised without importance, because the importance matrix has no values for it: %1.</numerusform>
            <numerusform>%n tensors are quantised without importance, because the importance matrix has no values for them: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The importance matrix has no values for some experts of %n tensors: %1.</source>
        <translation>
            <numerusform>The importance matrix has no values for some experts of %n tensor: %1.</numerusform>
            <numerusform>The importance matrix has no values for some experts of %n tensors: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors get a type of so few bits that the model is likely to be useless without an importance matrix with values for them (%1).</source>
        <translation>
            <numerusform>%n tensor gets a type of so few bits that the model is likely to be useless without an importance matrix with values for it (%1).</numerusform>
            <numerusform>%n tensors get a type of so few bits that the model is likely to be useless without an importance matrix with values for them (%1).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors get a type of ik_llama.cpp, so that only it and Gufo can run the file (%1).</source>
        <translation>
            <numerusform>%n tensor gets a type of ik_llama.cpp, so that only it and Gufo can run the file (%1).</numerusform>
            <numerusform>%n tensors get a type of ik_llama.cpp, so that only it and Gufo can run the file (%1).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The importance matrix is of another conversion; %n tensors get the values of matrices with the same inputs: %1.</source>
        <translation>
            <numerusform>The importance matrix is of another conversion; one tensor gets the values of a matrix with the same inputs: %1.</numerusform>
            <numerusform>The importance matrix is of another conversion; %n tensors get the values of matrices with the same inputs: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StructureFacts</name>
    <message numerus="yes">
        <source>%1 heads of %2</source>
        <translation>
            <numerusform>%1 head of %2</numerusform>
            <numerusform>%1 heads of %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 KV heads</source>
        <translation>
            <numerusform>%1 KV head</numerusform>
            <numerusform>%1 KV heads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 groups</source>
        <translation>
            <numerusform>%1 group</numerusform>
            <numerusform>%1 groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>convolution of %1 taps</source>
        <translation>
            <numerusform>convolution of %1 tap</numerusform>
            <numerusform>convolution of %1 taps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 experts</source>
        <translation>
            <numerusform>%1 expert</numerusform>
            <numerusform>%1 experts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 streams</source>
        <translation>
            <numerusform>%1 stream</numerusform>
            <numerusform>%1 streams</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::DifferenceText</name>
    <message numerus="yes">
        <source>%n of %1 elements differ, first at %2</source>
        <translation>
            <numerusform>%n of %1 elements differs, at %2</numerusform>
            <numerusform>%n of %1 elements differ, first at %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ErrorText</name>
    <message numerus="yes">
        <source>it claims a string of %2 bytes for %1, more than fit in the rest of the file (bytes left: %3)</source>
        <translation>
            <numerusform>it claims a string of %2 byte for %1, more than fit in the rest of the file (bytes left: %3)</numerusform>
            <numerusform>it claims a string of %2 bytes for %1, more than fit in the rest of the file (bytes left: %3)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>it claims an array of %1 elements, more than fit in the rest of the file (bytes left: %2)</source>
        <translation>
            <numerusform>it claims an array of %1 element, more than fit in the rest of the file (bytes left: %2)</numerusform>
            <numerusform>it claims an array of %1 elements, more than fit in the rest of the file (bytes left: %2)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the vocabulary has %1 tokens</source>
        <translation>
            <numerusform>the vocabulary has %1 token</numerusform>
            <numerusform>the vocabulary has %1 tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>it has %1 elements, but %2 has %3</source>
        <translation>
            <numerusform>it has %1 element, but %2 has %3</numerusform>
            <numerusform>it has %1 elements, but %2 has %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes of the tensor are missing in the file</source>
        <translation>
            <numerusform>%1 byte of the tensor is missing in the file</numerusform>
            <numerusform>%1 bytes of the tensor are missing in the file</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>it ends before the end of %1: %2 bytes are needed, %3 are left</source>
        <translation>
            <numerusform>it ends before the end of %1: %2 byte is needed, %3 are left</numerusform>
            <numerusform>it ends before the end of %1: %2 bytes are needed, %3 are left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::Format</name>
    <message numerus="yes">
        <source>%n bytes</source>
        <translation>
            <numerusform>%n byte</numerusform>
            <numerusform>%n bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::SaveText</name>
    <message numerus="yes">
        <source>the header grew by %1 bytes</source>
        <translation>
            <numerusform>the header grew by %1 byte</numerusform>
            <numerusform>the header grew by %1 bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the header shrank by %1 bytes</source>
        <translation>
            <numerusform>the header shrank by %1 byte</numerusform>
            <numerusform>the header shrank by %1 bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files of the set change.</source>
        <translation>
            <numerusform>%n file of the set changes.</numerusform>
            <numerusform>%n files of the set change.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the difference fits into the reserved space, of which %1 bytes remain</source>
        <translation>
            <numerusform>the difference fits into the reserved space, of which %1 byte remains</numerusform>
            <numerusform>the difference fits into the reserved space, of which %1 bytes remain</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other names of the file (hard links) keep the old content.</source>
        <translation>
            <numerusform>%n other name of the file (a hard link) keeps the old content.</numerusform>
            <numerusform>%n other names of the file (hard links) keep the old content.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>what follows the last tensor changes by %1 bytes</source>
        <translation>
            <numerusform>what follows the last tensor changes by %1 byte</numerusform>
            <numerusform>what follows the last tensor changes by %1 bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::SpeedText</name>
    <message numerus="yes">
        <source>%n s left</source>
        <translation>
            <numerusform>%n s left</numerusform>
            <numerusform>%n s left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::Tensors</name>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation>
            <numerusform>%1 byte</numerusform>
            <numerusform>%1 bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 values in their order, from %2 to %3</source>
        <translation>
            <numerusform>%1 value in its order, from %2 to %3</numerusform>
            <numerusform>%1 values in their order, from %2 to %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::cli::Cli</name>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the vocabulary has %n tokens, and none with the id %1</source>
        <translation>
            <numerusform>the vocabulary has %n token, and none with the id %1</numerusform>
            <numerusform>the vocabulary has %n tokens, and none with the id %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages are in %1</source>
        <translation>
            <numerusform>%n message is in %1</numerusform>
            <numerusform>%n messages are in %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Metadata: %n keys differ</source>
        <translation>
            <numerusform>Metadata: %n key differs</numerusform>
            <numerusform>Metadata: %n keys differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n elements differ, the first at %2: %3</source>
        <translation>
            <numerusform>%1: %n element differs, at %2: %3</numerusform>
            <numerusform>%1: %n elements differ, the first at %2: %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tensors: %n differ</source>
        <translation>
            <numerusform>Tensors: %n differs</numerusform>
            <numerusform>Tensors: %n differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>generated: %n tokens, %1 tokens/s</source>
        <translation>
            <numerusform>generated: %n token, %1 tokens/s</numerusform>
            <numerusform>generated: %n tokens, %1 tokens/s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n files are here</source>
        <translation>
            <numerusform>%1 of %n file is here</numerusform>
            <numerusform>%1 of %n files are here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%2 bytes)</source>
        <translation>
            <numerusform>%1 (%2 byte)</numerusform>
            <numerusform>%1 (%2 bytes)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Context of %n tokens%1, batch of %2, KV cache in %3</source>
        <translation>
            <numerusform>Context of %n token%1, batch of %2, KV cache in %3</numerusform>
            <numerusform>Context of %n tokens%1, batch of %2, KV cache in %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Perplexity: %1 ± %2 over %n tokens</source>
        <translation>
            <numerusform>Perplexity: %1 ± %2 over %n token</numerusform>
            <numerusform>Perplexity: %1 ± %2 over %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>it predicts %n tokens, the reference %1</source>
        <translation>
            <numerusform>it predicts %n token, the reference %1</numerusform>
            <numerusform>it predicts %n tokens, the reference %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>perplexity: the text has %n tokens, but a window needs %1; use a longer text or a smaller --ctx</source>
        <translation>
            <numerusform>perplexity: the text has %n token, but a window needs %1; use a longer text or a smaller --ctx</numerusform>
            <numerusform>perplexity: the text has %n tokens, but a window needs %1; use a longer text or a smaller --ctx</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>chat: the last message takes %n tokens, but the context holds only %1: use a larger --context</source>
        <translation>
            <numerusform>chat: the last message takes %n token, but the context holds only %1: use a larger --context</numerusform>
            <numerusform>chat: the last message takes %n tokens, but the context holds only %1: use a larger --context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the %n oldest messages did not fit into the context and were left out; see --context</source>
        <translation>
            <numerusform>the oldest message did not fit into the context and was left out; see --context</numerusform>
            <numerusform>the %n oldest messages did not fit into the context and were left out; see --context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n older tokens of the answer did not fit into the context and were left out; see --context</source>
        <translation>
            <numerusform>%n older token of the answer did not fit into the context and was left out; see --context</numerusform>
            <numerusform>%n older tokens of the answer did not fit into the context and were left out; see --context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n drafted tokens accepted</source>
        <translation>
            <numerusform>%1 of %n drafted token accepted</numerusform>
            <numerusform>%1 of %n drafted tokens accepted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the array has %n elements, numbered from 0; %1 is beyond its end</source>
        <translation>
            <numerusform>the array has %n element, numbered 0; %1 is beyond its end</numerusform>
            <numerusform>the array has %n elements, numbered from 0; %1 is beyond its end</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n of %1 expert matrices; a longer text may reach them</source>
        <translation>
            <numerusform>No token was routed to %n of %1 expert matrices; a longer text may reach it</numerusform>
            <numerusform>No token was routed to %n of %1 expert matrices; a longer text may reach them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>imatrix: the text has %n tokens, but a chunk needs %1; use a longer text or a smaller --context</source>
        <translation>
            <numerusform>imatrix: the text has %n token, but a chunk needs %1; use a longer text or a smaller --context</numerusform>
            <numerusform>imatrix: the text has %n tokens, but a chunk needs %1; use a longer text or a smaller --context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Scales that are rounded to f16: %n tensor(s), with an error of at most %1 (%2)</source>
        <translation>
            <numerusform>Scales that are rounded to f16: %n tensor, with an error of at most %1 (%2)</numerusform>
            <numerusform>Scales that are rounded to f16: %n tensors, with an error of at most %1 (%2)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>prompt: %n tokens</source>
        <translation>
            <numerusform>prompt: %n token</numerusform>
            <numerusform>prompt: %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There are %n more problems, which --dry-run lists.</source>
        <translation>
            <numerusform>There is %n more problem, which --dry-run lists.</numerusform>
            <numerusform>There are %n more problems, which --dry-run lists.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>eval: the engine &quot;%1&quot; uses the RoPE factors of a context of %n tokens, not those of the trained length; see --context</source>
        <translation>
            <numerusform>eval: the engine &quot;%1&quot; uses the RoPE factors of a context of %n token, not those of the trained length; see --context</numerusform>
            <numerusform>eval: the engine &quot;%1&quot; uses the RoPE factors of a context of %n tokens, not those of the trained length; see --context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the scores are those of the first of %n labels, %1; --json prints those of all</source>
        <translation>
            <numerusform>the scores are those of the only label, %1; --json prints those of all</numerusform>
            <numerusform>the scores are those of the first of %n labels, %1; --json prints those of all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events of the server could not be read and were skipped; the answer may be incomplete</source>
        <translation>
            <numerusform>%n event of the server could not be read and was skipped; the answer may be incomplete</numerusform>
            <numerusform>%n events of the server could not be read and were skipped; the answer may be incomplete</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>generate: the prompt has %n tokens, but the context holds only %1</source>
        <translation>
            <numerusform>generate: the prompt has %n token, but the context holds only %1</numerusform>
            <numerusform>generate: the prompt has %n tokens, but the context holds only %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n older tokens did not fit into the context and were left out; see --context</source>
        <translation>
            <numerusform>%n older token did not fit into the context and was left out; see --context</numerusform>
            <numerusform>%n older tokens did not fit into the context and were left out; see --context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The context of %n tokens is full, so the text ends here; a larger --context or --shift continues it.</source>
        <translation>
            <numerusform>The context of %n token is full, so the text ends here; a larger --context or --shift continues it.</numerusform>
            <numerusform>The context of %n tokens is full, so the text ends here; a larger --context or --shift continues it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no chunk and were left out; see --context.</source>
        <translation>
            <numerusform>The last token of the text fills no chunk and was left out; see --context.</numerusform>
            <numerusform>The last %n tokens of the text fill no chunk and were left out; see --context.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chunks are saved in %1; --resume continues there</source>
        <translation>
            <numerusform>%n chunk is saved in %1; --resume continues there</numerusform>
            <numerusform>%n chunks are saved in %1; --resume continues there</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no window and were left out; see --ctx.</source>
        <translation>
            <numerusform>The last token of the text fills no window and was left out; see --ctx.</numerusform>
            <numerusform>The last %n tokens of the text fill no window and were left out; see --ctx.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 arguments are too many: at most %n can be given</source>
        <translation>
            <numerusform>%1 arguments are too many: at most %n can be given</numerusform>
            <numerusform>%1 arguments are too many: at most %n can be given</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n tensors, alpha %2, scale %3</source>
        <translation>
            <numerusform>%1: %n tensor, alpha %2, scale %3</numerusform>
            <numerusform>%1: %n tensors, alpha %2, scale %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages were loaded from %1</source>
        <translation>
            <numerusform>%n message was loaded from %1</numerusform>
            <numerusform>%n messages were loaded from %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chunks of %1 tokens</source>
        <translation>
            <numerusform>%n chunk of %1 tokens</numerusform>
            <numerusform>%n chunks of %1 tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>KL divergence of B from A: %1 nats, mean over %n positions</source>
        <translation>
            <numerusform>KL divergence of B from A: %1 nats, of %n position</numerusform>
            <numerusform>KL divergence of B from A: %1 nats, mean over %n positions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors are the same in both files.</source>
        <translation>
            <numerusform>%n tensor is the same in both files.</numerusform>
            <numerusform>%n tensors are the same in both files.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors differ, but do not affect the answers.</source>
        <translation>
            <numerusform>%n tensor differs, but does not affect the answers.</numerusform>
            <numerusform>%n tensors differ, but do not affect the answers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n parts differ; the map costs as much as %1 runs of the text.</source>
        <translation>
            <numerusform>%n part differs; the map costs as much as %1 runs of the text.</numerusform>
            <numerusform>%n parts differ; the map costs as much as %1 runs of the text.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Compared with the original over %n tokens:</source>
        <translation>
            <numerusform>Compared with the original over %n token:</numerusform>
            <numerusform>Compared with the original over %n tokens:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the text of --kl has %n tokens, but at least %1 are needed</source>
        <translation>
            <numerusform>the text of --kl has %n token, but at least %1 are needed</numerusform>
            <numerusform>the text of --kl has %n tokens, but at least %1 are needed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>  All %n singular values</source>
        <translation>
            <numerusform>  The only singular value (%n)</numerusform>
            <numerusform>  All %n singular values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>  The %n largest singular values</source>
        <translation>
            <numerusform>  The largest singular value (%n)</numerusform>
            <numerusform>  The %n largest singular values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>  Randomised subspace iteration (Halko, Martinsson, Tropp 2011), %n passes; the last one changed no value by more than %1 %</source>
        <translation>
            <numerusform>  Randomised subspace iteration (Halko, Martinsson, Tropp 2011), %n pass; the last one changed no value by more than %1 %</numerusform>
            <numerusform>  Randomised subspace iteration (Halko, Martinsson, Tropp 2011), %n passes; the last one changed no value by more than %1 %</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui</name>
    <message numerus="yes">
        <source>%1 … %n elements</source>
        <translation>
            <numerusform>%1 … %n element</numerusform>
            <numerusform>%1 … %n elements</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… and %n more rows</source>
        <translation>
            <numerusform>… and %n more row</numerusform>
            <numerusform>… and %n more rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::AdapterModel</name>
    <message numerus="yes">
        <source>block %1, %n matrices</source>
        <translation>
            <numerusform>block %1, %n matrix</numerusform>
            <numerusform>block %1, %n matrices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>outside of blocks, %n matrices</source>
        <translation>
            <numerusform>outside of blocks, %n matrix</numerusform>
            <numerusform>outside of blocks, %n matrices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n matrices do not fit</source>
        <translation>
            <numerusform>%n matrix does not fit</numerusform>
            <numerusform>%n matrices do not fit</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::AdapterPanel</name>
    <message numerus="yes">
        <source>%n matrices of rank %1.</source>
        <translation>
            <numerusform>%n matrix of rank %1.</numerusform>
            <numerusform>%n matrices of rank %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n matrices fit.</source>
        <translation>
            <numerusform>The %n matrix fits.</numerusform>
            <numerusform>All %n matrices fit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of %1 matrices do not fit, so the adapter cannot be applied.</source>
        <translation>
            <numerusform>%n of %1 matrices does not fit, so the adapter cannot be applied.</numerusform>
            <numerusform>%n of %1 matrices do not fit, so the adapter cannot be applied.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors take the place of the base model&apos;s.</source>
        <translation>
            <numerusform>%n tensor takes the place of the base model&apos;s.</numerusform>
            <numerusform>%n tensors take the place of the base model&apos;s.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::AddTokensDialog</name>
    <message numerus="yes">
        <source>Add %n tokens</source>
        <translation>
            <numerusform>Add %n token</numerusform>
            <numerusform>Add %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has %2 elements for %3 tokens. Make the lengths equal first, or added values would belong to the wrong tokens.</source>
        <translation>
            <numerusform>%1 has %2 element for %3 tokens. Make the lengths equal first, or added values would belong to the wrong tokens.</numerusform>
            <numerusform>%1 has %2 elements for %3 tokens. Make the lengths equal first, or added values would belong to the wrong tokens.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ApplyDialog</name>
    <message numerus="yes">
        <source>%n tensors changed; encoding adds an error of NMSE %1.</source>
        <translation>
            <numerusform>%n tensor changed; encoding adds an error of NMSE %1.</numerusform>
            <numerusform>%n tensors changed; encoding adds an error of NMSE %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors change; the file gets %1.</source>
        <translation>
            <numerusform>%n tensor changes; the file gets %1.</numerusform>
            <numerusform>%n tensors change; the file gets %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ArrayPane</name>
    <message numerus="yes">
        <source>Paste %n elements into %1</source>
        <translation>
            <numerusform>Paste %n element into %1</numerusform>
            <numerusform>Paste %n elements into %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n elements of %1</source>
        <translation>
            <numerusform>Remove %n element of %1</numerusform>
            <numerusform>Remove %n elements of %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n elements</source>
        <translation>
            <numerusform>%1, %n element</numerusform>
            <numerusform>%1, %n elements</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::AuditPanel</name>
    <message numerus="yes">
        <source>%n threats found</source>
        <translation>
            <numerusform>%n threat found</numerusform>
            <numerusform>%n threats found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::BehaviourField</name>
    <message numerus="yes">
        <source>%n parts differ; measuring them takes as long as running the text %1 times.</source>
        <translation>
            <numerusform>%n part differs; measuring it takes as long as running the text %1 times.</numerusform>
            <numerusform>%n parts differ; measuring them takes as long as running the text %1 times.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mean of %n positions of %1; what the parts do not add up to is interaction.</source>
        <translation>
            <numerusform>Mean of %n position of %1; what the parts do not add up to is interaction.</numerusform>
            <numerusform>Mean of %n positions of %1; what the parts do not add up to is interaction.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::BehaviourScatter</name>
    <message numerus="yes">
        <source>%n parts</source>
        <translation>
            <numerusform>%n part</numerusform>
            <numerusform>%n parts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n parts without an effect are not shown</source>
        <translation>
            <numerusform>%n part without an effect is not shown</numerusform>
            <numerusform>%n parts without an effect are not shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::BlockMap</name>
    <message numerus="yes">
        <source>and %n more tensors</source>
        <translation>
            <numerusform>and %n more tensor</numerusform>
            <numerusform>and %n more tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more tensors, listed on the Tensors page</source>
        <translation>
            <numerusform>and %n more tensor, listed on the Tensors page</numerusform>
            <numerusform>and %n more tensors, listed on the Tensors page</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::BytesPage</name>
    <message numerus="yes">
        <source>%n bytes from %1 on</source>
        <translation>
            <numerusform>%n byte from %1 on</numerusform>
            <numerusform>%n bytes from %1 on</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ChangeBar</name>
    <message numerus="yes">
        <source>%n unsaved changes</source>
        <translation>
            <numerusform>%n unsaved change</numerusform>
            <numerusform>%n unsaved changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ChooseFiles</name>
    <message numerus="yes">
        <source>Two to %n files of one model, quantised differently, or any others.</source>
        <translation>
            <numerusform>Two to %n files of one model, quantised differently, or any others.</numerusform>
            <numerusform>Two to %n files of one model, quantised differently, or any others.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At most %n models can be compared.</source>
        <translation>
            <numerusform>At most %n model can be compared.</numerusform>
            <numerusform>At most %n models can be compared.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Two to %n models that generate text with the same tokens.</source>
        <translation>
            <numerusform>Two to %n models that generate text with the same tokens.</numerusform>
            <numerusform>Two to %n models that generate text with the same tokens.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::CompareTab</name>
    <message numerus="yes">
        <source>Compare: %n files</source>
        <translation>
            <numerusform>Compare: %n file</numerusform>
            <numerusform>Compare: %n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Compare: %1 (%n files)</source>
        <translation>
            <numerusform>Compare: %1 (%n file)</numerusform>
            <numerusform>Compare: %1 (%n files)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cancelled: %1 of %n tensors were compared.</source>
        <translation>
            <numerusform>Cancelled: %1 of %n tensor was compared.</numerusform>
            <numerusform>Cancelled: %1 of %n tensors were compared.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files, %1</source>
        <translation>
            <numerusform>%n file, %1</numerusform>
            <numerusform>%n files, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n metadata differences</source>
        <translation>
            <numerusform>%n metadata difference</numerusform>
            <numerusform>%n metadata differences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Opening %n files</source>
        <translation>
            <numerusform>Opening %n file</numerusform>
            <numerusform>Opening %n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Comparing %n tensors</source>
        <translation>
            <numerusform>Comparing %n tensor</numerusform>
            <numerusform>Comparing %n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Compared %n tensors of %1 files in %2</source>
        <translation>
            <numerusform>Compared %n tensor of %1 files in %2</numerusform>
            <numerusform>Compared %n tensors of %1 files in %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConversationFinder</name>
    <message numerus="yes">
        <source>%1 – %n matches: %2</source>
        <translation>
            <numerusform>%1 – %n match: %2</numerusform>
            <numerusform>%1 – %n matches: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConvertDialog</name>
    <message numerus="yes">
        <source>%n tensors get another type, because their rows are not whole blocks of the intended type.</source>
        <translation>
            <numerusform>%n tensor gets another type, because its rows are not whole blocks of the intended type.</numerusform>
            <numerusform>%n tensors get another type, because their rows are not whole blocks of the intended type.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation>
            <numerusform>%n key</numerusform>
            <numerusform>%n keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The scales of %n tensors are rounded to f16, which changes a weight by %1 at most.</source>
        <translation>
            <numerusform>The scales of %n tensor are rounded to f16, which changes a weight by %1 at most.</numerusform>
            <numerusform>The scales of %n tensors are rounded to f16, which changes a weight by %1 at most.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more findings.</source>
        <translation>
            <numerusform>%n more finding.</numerusform>
            <numerusform>%n more findings.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::CopyReport</name>
    <message numerus="yes">
        <source>Copied a report of %n lines</source>
        <translation>
            <numerusform>Copied a report of %n line</numerusform>
            <numerusform>Copied a report of %n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::DensityPlot</name>
    <message numerus="yes">
        <source>%1: %2 to %3
%4: %5 to %6
%7 weights</source>
        <translation>
            <numerusform>%1: %2 to %3
%4: %5 to %6
%7 weight</numerusform>
            <numerusform>%1: %2 to %3
%4: %5 to %6
%7 weights</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::DiagramLayout</name>
    <message numerus="yes">
        <source>%n further blocks are not drawn</source>
        <translation>
            <numerusform>%n further block is not drawn</numerusform>
            <numerusform>%n further blocks are not drawn</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::DiagramPage</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::DiagramView</name>
    <message numerus="yes">
        <source>and %n more tensors</source>
        <translation>
            <numerusform>and %n more tensor</numerusform>
            <numerusform>and %n more tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::DiffView</name>
    <message numerus="yes">
        <source>… %n lines the same</source>
        <translation>
            <numerusform>… %n line the same</numerusform>
            <numerusform>… %n lines the same</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::DownloadDialog</name>
    <message numerus="yes">
        <source>%n files, %1, from %2</source>
        <translation>
            <numerusform>%n file, %1, from %2</numerusform>
            <numerusform>%n files, %1, from %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n download(s) are not complete.</source>
        <translation>
            <numerusform>%n download is not complete.</numerusform>
            <numerusform>%n downloads are not complete.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::EmbedPage</name>
    <message numerus="yes">
        <source>%n texts</source>
        <translation>
            <numerusform>%n text</numerusform>
            <numerusform>%n texts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other lines are too long as well.</source>
        <translation>
            <numerusform>%n other line is too long as well.</numerusform>
            <numerusform>%n other lines are too long as well.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::EnginePanel</name>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::Engines</name>
    <message numerus="yes">
        <source>, context of %n tokens</source>
        <translation>
            <numerusform>, context of %n token</numerusform>
            <numerusform>, context of %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n others</source>
        <translation>
            <numerusform>%1 and %n other</numerusform>
            <numerusform>%1 and %n others</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ExpertMap</name>
    <message numerus="yes">
        <source>Map of how often experts were used; %n were never used</source>
        <translation>
            <numerusform>Map of how often experts were used; %n was never used</numerusform>
            <numerusform>Map of how often experts were used; %n were never used</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ExpertsView</name>
    <message numerus="yes">
        <source>Block %1, expert %2: %n tokens</source>
        <translation>
            <numerusform>Block %1, expert %2: %n token</numerusform>
            <numerusform>Block %1, expert %2: %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Experts that compute “%1”: A and B choose the same ones in %2 of %n blocks.</source>
        <translation>
            <numerusform>Experts that compute “%1”: A and B choose the same ones in %2 of %n block.</numerusform>
            <numerusform>Experts that compute “%1”: A and B choose the same ones in %2 of %n blocks.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::FetchingView</name>
    <message numerus="yes">
        <source>%n keys</source>
        <translation>
            <numerusform>%n key</numerusform>
            <numerusform>%n keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::FindingsModel</name>
    <message numerus="yes">
        <source>%n errors</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n note</numerusform>
            <numerusform>%n notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checks passed</source>
        <translation>
            <numerusform>%n check passed</numerusform>
            <numerusform>%n checks passed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::FindingsPanel</name>
    <message numerus="yes">
        <source>Fix %n findings</source>
        <translation>
            <numerusform>Fix %n finding</numerusform>
            <numerusform>Fix %n findings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The weights are those of %1: %n tensors compared</source>
        <translation>
            <numerusform>The weights are those of %1: %n tensor compared</numerusform>
            <numerusform>The weights are those of %1: %n tensors compared</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::HeatMap</name>
    <message numerus="yes">
        <source>, %1 of about %n weights here</source>
        <translation>
            <numerusform>, %1 of about %n weight here</numerusform>
            <numerusform>, %1 of about %n weights here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>each pixel: %1 of about %n weights</source>
        <translation>
            <numerusform>each pixel: %1 of about %n weight</numerusform>
            <numerusform>each pixel: %1 of about %n weights</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixDialog</name>
    <message numerus="yes">
        <source>Cancelled. %n chunks are saved in %1; measuring into the same file continues there.</source>
        <translation>
            <numerusform>Cancelled. %n chunk is saved in %1; measuring into the same file continues there.</numerusform>
            <numerusform>Cancelled. %n chunks are saved in %1; measuring into the same file continues there.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n matrices, from %1 chunks of %2 tokens</source>
        <translation>
            <numerusform>%n matrix, from %1 chunks of %2 tokens</numerusform>
            <numerusform>%n matrices, from %1 chunks of %2 tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chunks had been evaluated before.</source>
        <translation>
            <numerusform>%n chunk had been evaluated before.</numerusform>
            <numerusform>%n chunks had been evaluated before.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no chunk and were left out.</source>
        <translation>
            <numerusform>The last token of the text fills no chunk and was left out.</numerusform>
            <numerusform>The last %n tokens of the text fill no chunk and were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n of %1 expert matrices; a longer text may reach them.</source>
        <translation>
            <numerusform>No token was routed to %n of %1 expert matrices; a longer text may reach it.</numerusform>
            <numerusform>No token was routed to %n of %1 expert matrices; a longer text may reach them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixField</name>
    <message numerus="yes">
        <source>%1, %n tensors</source>
        <translation>
            <numerusform>%1, %n tensor</numerusform>
            <numerusform>%1, %n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixModel</name>
    <message numerus="yes">
        <source>No token was routed to %n matrices. They are quantised without importance.</source>
        <translation>
            <numerusform>No token was routed to %n matrix. It is quantised without importance.</numerusform>
            <numerusform>No token was routed to %n matrices. They are quantised without importance.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixPanel</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 from %n chunks of text.</source>
        <translation>
            <numerusform>%1 from %n chunk of text.</numerusform>
            <numerusform>%1 from %n chunks of text.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n data sets: %1.</source>
        <translation>
            <numerusform>%n data set: %1.</numerusform>
            <numerusform>%n data sets: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n expert matrices were used.</source>
        <translation>
            <numerusform>The only expert matrix was used.</numerusform>
            <numerusform>All %n expert matrices were used.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n of %1 expert matrices.</source>
        <translation>
            <numerusform>No token was routed to %n of %1 expert matrices.</numerusform>
            <numerusform>No token was routed to %n of %1 expert matrices.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n matrices of the model have no entry.</source>
        <translation>
            <numerusform>%n matrix of the model has no entry.</numerusform>
            <numerusform>%n matrices of the model have no entry.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries are for tensors that the model does not have.</source>
        <translation>
            <numerusform>%n entry is for a tensor that the model does not have.</numerusform>
            <numerusform>%n entries are for tensors that the model does not have.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries are for tensors of another shape.</source>
        <translation>
            <numerusform>%n entry is for a tensor of another shape.</numerusform>
            <numerusform>%n entries are for tensors of another shape.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries have no values other than 0.</source>
        <translation>
            <numerusform>%n entry has no values other than 0.</numerusform>
            <numerusform>%n entries have no values other than 0.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImportDialog</name>
    <message numerus="yes">
        <source>Import %n keys</source>
        <translation>
            <numerusform>Import %n key</numerusform>
            <numerusform>Import %n keys</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImportTensorsDialog</name>
    <message numerus="yes">
        <source>Import %n tensors</source>
        <translation>
            <numerusform>Import %n tensor</numerusform>
            <numerusform>Import %n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::InputPanel</name>
    <message numerus="yes">
        <source>%n lines with text</source>
        <translation>
            <numerusform>%n line with text</numerusform>
            <numerusform>%n lines with text</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::InsidePage</name>
    <message numerus="yes">
        <source>Evaluating %n tokens</source>
        <translation>
            <numerusform>Evaluating %n token</numerusform>
            <numerusform>Evaluating %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Token %1 of a text of %n tokens, %2 of %3 used</source>
        <translation>
            <numerusform>Token %1 of a text of %n token, %2 of %3 used</numerusform>
            <numerusform>Token %1 of a text of %n tokens, %2 of %3 used</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::LayerStrip</name>
    <message numerus="yes">
        <source>%n other kinds</source>
        <translation>
            <numerusform>%n other kind</numerusform>
            <numerusform>%n other kinds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::LeftOut</name>
    <message numerus="yes">
        <source>%1 (%n tensors that predict further tokens)</source>
        <translation>
            <numerusform>%1 (%n tensor that predicts further tokens)</numerusform>
            <numerusform>%1 (%n tensors that predict further tokens)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MainWindow</name>
    <message numerus="yes">
        <source>%n models were opened together.</source>
        <translation>
            <numerusform>%n model was opened.</numerusform>
            <numerusform>%n models were opened together.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Open %n models, each in a tab of its own?</source>
        <translation>
            <numerusform>Open %n model in a tab of its own?</numerusform>
            <numerusform>Open %n models, each in a tab of its own?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n threads</source>
        <translation>
            <numerusform>%1, %n thread</numerusform>
            <numerusform>%1, %n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied %n lines</source>
        <translation>
            <numerusform>Copied %n line</numerusform>
            <numerusform>Copied %n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MapLegend</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MapPage</name>
    <message numerus="yes">
        <source>%n tensors, by block and role</source>
        <translation>
            <numerusform>%n tensor, by block and role</numerusform>
            <numerusform>%n tensors, by block and role</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::Memory</name>
    <message numerus="yes">
        <source>A context of %n tokens would fit.</source>
        <translation>
            <numerusform>A context of %n token would fit.</numerusform>
            <numerusform>A context of %n tokens would fit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Fits into the %1 of free memory with the full trained context of %n tokens.</source>
        <translation>
            <numerusform>Fits into the %1 of free memory with the full trained context of %n token.</numerusform>
            <numerusform>Fits into the %1 of free memory with the full trained context of %n tokens.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Fits into the %1 of free memory, up to a context of %n tokens.</source>
        <translation>
            <numerusform>Fits into the %1 of free memory, up to a context of %n token.</numerusform>
            <numerusform>Fits into the %1 of free memory, up to a context of %n tokens.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Needs %1 more than the %2 of free memory: parts of the file will be read from the disk again for every token, which is slow. A context of %n tokens would fit.</source>
        <translation>
            <numerusform>Needs %1 more than the %2 of free memory: parts of the file will be read from the disk again for every token, which is slow. A context of %n token would fit.</numerusform>
            <numerusform>Needs %1 more than the %2 of free memory: parts of the file will be read from the disk again for every token, which is slow. A context of %n tokens would fit.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MessageRow</name>
    <message numerus="yes">
        <source>%n pictures</source>
        <translation>
            <numerusform>%n picture</numerusform>
            <numerusform>%n pictures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataDiffModel</name>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n missing</source>
        <translation>
            <numerusform>%n missing</numerusform>
            <numerusform>%n missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation>
            <numerusform>%n new</numerusform>
            <numerusform>%n new</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other ids</source>
        <translation>
            <numerusform>%n other id</numerusform>
            <numerusform>%n other ids</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other scores</source>
        <translation>
            <numerusform>%n other score</numerusform>
            <numerusform>%n other scores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other types</source>
        <translation>
            <numerusform>%n other type</numerusform>
            <numerusform>%n other types</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataDiffPage</name>
    <message numerus="yes">
        <source>%1: %2 of %n elements differ</source>
        <translation>
            <numerusform>%1: %2 of %n element differs</numerusform>
            <numerusform>%1: %2 of %n elements differ</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataEdits</name>
    <message numerus="yes">
        <source>Delete %n keys</source>
        <translation>
            <numerusform>Delete %n key</numerusform>
            <numerusform>Delete %n keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Imported %n keys from %1</source>
        <translation>
            <numerusform>Imported %n key from %1</numerusform>
            <numerusform>Imported %n keys from %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataModel</name>
    <message numerus="yes">
        <source>%n elements changed</source>
        <translation>
            <numerusform>%n element changed</numerusform>
            <numerusform>%n elements changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation>
            <numerusform>%n key</numerusform>
            <numerusform>%n keys</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataView</name>
    <message numerus="yes">
        <source>%n keys</source>
        <translation>
            <numerusform>%n key</numerusform>
            <numerusform>%n keys</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ModelStatus</name>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation>
            <numerusform>%n key</numerusform>
            <numerusform>%n keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n shards</source>
        <translation>
            <numerusform>%1 of %n shard</numerusform>
            <numerusform>%1 of %n shards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shards</source>
        <translation>
            <numerusform>%n shard</numerusform>
            <numerusform>%n shards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::OriginCheckDialog</name>
    <message numerus="yes">
        <source>All %n files: </source>
        <translation>
            <numerusform>The %n file: </numerusform>
            <numerusform>All %n files: </numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changes were made, which you can review, save or undo.</source>
        <translation>
            <numerusform>%n change was made, which you can review, save or undo.</numerusform>
            <numerusform>%n changes were made, which you can review, save or undo.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::OriginReport</name>
    <message numerus="yes">
        <source>The weights are those of that model, but %n keys differ.</source>
        <translation>
            <numerusform>The weights are those of that model, but %n key differs.</numerusform>
            <numerusform>The weights are those of that model, but %n keys differ.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The conversion leaves out %n tensors of the origin (%1).</source>
        <translation>
            <numerusform>The conversion leaves out %n tensor of the origin (%1).</numerusform>
            <numerusform>The conversion leaves out %n tensors of the origin (%1).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This is that model: all of %n tensors are %1.</source>
        <translation>
            <numerusform>This is that model: its %n tensor is %1.</numerusform>
            <numerusform>This is that model: all of %n tensors are %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This is that model but for %n tensors: %1 of %2 are %3%4.</source>
        <translation>
            <numerusform>This is that model but for %n tensor: %1 of %2 are %3%4.</numerusform>
            <numerusform>This is that model but for %n tensors: %1 of %2 are %3%4.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This is that model, but %n tensors were written with a mistake, which is named below.</source>
        <translation>
            <numerusform>This is that model, but %n tensor was written with a mistake, which is named below.</numerusform>
            <numerusform>This is that model, but %n tensors were written with a mistake, which is named below.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::Overview</name>
    <message numerus="yes">
        <source>%n experts</source>
        <translation>
            <numerusform>%n expert</numerusform>
            <numerusform>%n experts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n experts, %1 used</source>
        <translation>
            <numerusform>%n expert, %1 used</numerusform>
            <numerusform>%n experts, %1 used</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n blocks</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %1 of %n files</source>
        <translation>
            <numerusform>in %1 of %n file</numerusform>
            <numerusform>in %1 of %n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n files</source>
        <translation>
            <numerusform>in %n file</numerusform>
            <numerusform>in %n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation>
            <numerusform>%1 byte</numerusform>
            <numerusform>%1 bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n adapted weights</source>
        <translation>
            <numerusform>%n adapted weight</numerusform>
            <numerusform>%n adapted weights</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of %n tokens</source>
        <translation>
            <numerusform>of %n token</numerusform>
            <numerusform>of %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n datasets</source>
        <translation>
            <numerusform>%n dataset</numerusform>
            <numerusform>%n datasets</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairList</name>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors, %1 without counterpart</source>
        <translation>
            <numerusform>%n tensor, %1 without counterpart</numerusform>
            <numerusform>%n tensors, %1 without counterpart</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::PerplexityDialog</name>
    <message numerus="yes">
        <source>%n tokens of %1 were scored.</source>
        <translation>
            <numerusform>%n token of %1 was scored.</numerusform>
            <numerusform>%n tokens of %1 were scored.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no window and were left out.</source>
        <translation>
            <numerusform>The last token of the text fills no window and was left out.</numerusform>
            <numerusform>The last %n tokens of the text fill no window and were left out.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::PlanTensorModel</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::Playground</name>
    <message numerus="yes">
        <source>Only the first %n characters fit here; gufo-cli tokenize takes texts of any length.</source>
        <translation>
            <numerusform>Only the first character fits here; gufo-cli tokenize takes texts of any length.</numerusform>
            <numerusform>Only the first %n characters fit here; gufo-cli tokenize takes texts of any length.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation>
            <numerusform>%1 byte</numerusform>
            <numerusform>%1 bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::QualityMap</name>
    <message numerus="yes">
        <source>(%n parts)</source>
        <translation>
            <numerusform>(%n part)</numerusform>
            <numerusform>(%n parts)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n norms and biases are in the list</source>
        <translation>
            <numerusform>%n norm or bias is in the list</numerusform>
            <numerusform>%n norms and biases are in the list</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more tensors are in the list</source>
        <translation>
            <numerusform>%n more tensor is in the list</numerusform>
            <numerusform>%n more tensors are in the list</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 as a whole, %n tensors:</source>
        <translation>
            <numerusform>%1 as a whole, %n tensor:</numerusform>
            <numerusform>%1 as a whole, %n tensors:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::QuantizeDialog</name>
    <message numerus="yes">
        <source>%n tensors get another type, because their rows are not whole blocks of the intended type.</source>
        <translation>
            <numerusform>%n tensor gets another type, because its rows are not whole blocks of the intended type.</numerusform>
            <numerusform>%n tensors get another type, because their rows are not whole blocks of the intended type.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RecentModel</name>
    <message numerus="yes">
        <source>%1, %n shards</source>
        <translation>
            <numerusform>%1, %n shard</numerusform>
            <numerusform>%1, %n shards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RenameDialog</name>
    <message numerus="yes">
        <source>The %n selected tensors</source>
        <translation>
            <numerusform>The selected tensor</numerusform>
            <numerusform>The %n selected tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n tensors</source>
        <translation>
            <numerusform>The only tensor</numerusform>
            <numerusform>All %n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n new names are not possible.</source>
        <translation>
            <numerusform>%1 of %n new name is not possible.</numerusform>
            <numerusform>%1 of %n new names are not possible.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors will be renamed.</source>
        <translation>
            <numerusform>%n tensor will be renamed.</numerusform>
            <numerusform>%n tensors will be renamed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RenamingModel</name>
    <message numerus="yes">
        <source>%1 bytes; runtimes allow %2</source>
        <translation>
            <numerusform>%1 byte; runtimes allow %2</numerusform>
            <numerusform>%1 bytes; runtimes allow %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::Report</name>
    <message numerus="yes">
        <source>%n matrices, %1 identical</source>
        <translation>
            <numerusform>%n matrix, %1 identical</numerusform>
            <numerusform>%n matrices, %1 identical</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n elements differ</source>
        <translation>
            <numerusform>%n element differs</numerusform>
            <numerusform>%n elements differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n characters</source>
        <translation>
            <numerusform>%n character</numerusform>
            <numerusform>%n characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys are the same in all files.</source>
        <translation>
            <numerusform>%n key is the same in all files.</numerusform>
            <numerusform>%n keys are the same in all files.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pairs with NaN or infinity are left out</source>
        <translation>
            <numerusform>%n pair with NaN or infinity is left out</numerusform>
            <numerusform>%n pairs with NaN or infinity are left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not finite</source>
        <translation>
            <numerusform>%n not finite</numerusform>
            <numerusform>%n not finite</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors have another shape</source>
        <translation>
            <numerusform>%n tensor has another shape</numerusform>
            <numerusform>%n tensors have another shape</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors are missing</source>
        <translation>
            <numerusform>%n tensor is missing</numerusform>
            <numerusform>%n tensors are missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors cannot be compared</source>
        <translation>
            <numerusform>%n tensor cannot be compared</numerusform>
            <numerusform>%n tensors cannot be compared</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of another shape</source>
        <translation>
            <numerusform>%n of another shape</numerusform>
            <numerusform>%n of another shape</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n missing</source>
        <translation>
            <numerusform>%n missing</numerusform>
            <numerusform>%n missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not comparable</source>
        <translation>
            <numerusform>%n not comparable</numerusform>
            <numerusform>%n not comparable</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 against %2 (reference), %n tensors</source>
        <translation>
            <numerusform>%1 against %2 (reference), %n tensor</numerusform>
            <numerusform>%1 against %2 (reference), %n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more parts are not listed.</source>
        <translation>
            <numerusform>%n more part is not listed.</numerusform>
            <numerusform>%n more parts are not listed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>KL divergence from the reference: %1 nats, mean of %n positions of %2</source>
        <translation>
            <numerusform>KL divergence from the reference: %1 nats, mean of %n position of %2</numerusform>
            <numerusform>KL divergence from the reference: %1 nats, mean of %n positions of %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more tensors are not on the map</source>
        <translation>
            <numerusform>%n more tensor is not on the map</numerusform>
            <numerusform>%n more tensors are not on the map</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RepositoryModel</name>
    <message numerus="yes">
        <source>%1 (%n files)</source>
        <translation>
            <numerusform>%1 (%n file)</numerusform>
            <numerusform>%1 (%n files)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shards are missing in the repository.</source>
        <translation>
            <numerusform>%n shard is missing in the repository.</numerusform>
            <numerusform>%n shards are missing in the repository.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RepositoryPage</name>
    <message numerus="yes">
        <source>%n models, %1</source>
        <translation>
            <numerusform>%n model, %1</numerusform>
            <numerusform>%n models, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fit into the %1 of free memory</source>
        <translation>
            <numerusform>%n fits into the %1 of free memory</numerusform>
            <numerusform>%n fit into the %1 of free memory</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RepositoryTab</name>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ReviewDialog</name>
    <message numerus="yes">
        <source>%n changes</source>
        <translation>
            <numerusform>%n change</numerusform>
            <numerusform>%n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RunPage</name>
    <message numerus="yes">
        <source>Generating, %n tokens in %1</source>
        <translation>
            <numerusform>Generating, %n token in %1</numerusform>
            <numerusform>Generating, %n tokens in %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ready. The last answer: %n tokens in %1, %2 of %3 prompt tokens read</source>
        <translation>
            <numerusform>Ready. The last answer: %n token in %1, %2 of %3 prompt tokens read</numerusform>
            <numerusform>Ready. The last answer: %n tokens in %1, %2 of %3 prompt tokens read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reading the prompt: %1 of %n tokens</source>
        <translation>
            <numerusform>Reading the prompt: %1 of %n token</numerusform>
            <numerusform>Reading the prompt: %1 of %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens are needed, and the context holds %1.</source>
        <translation>
            <numerusform>%n token is needed, and the context holds %1.</numerusform>
            <numerusform>%n tokens are needed, and the context holds %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kept prompts could not be used, because their files are damaged or belong to another model.</source>
        <translation>
            <numerusform>%n kept prompt could not be used, because its file is damaged or belongs to another model.</numerusform>
            <numerusform>%n kept prompts could not be used, because their files are damaged or belong to another model.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::SizeDialog</name>
    <message numerus="yes">
        <source>%n tensors have types whose cost was not measured; the divergence leaves them out.</source>
        <translation>
            <numerusform>%n tensor has a type whose cost was not measured; the divergence leaves it out.</numerusform>
            <numerusform>%n tensors have types whose cost was not measured; the divergence leaves them out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2, expected KL divergence: %3 nats; %n tensors have other types.</source>
        <translation>
            <numerusform>%1: %2, expected KL divergence: %3 nats; %n tensor has another type.</numerusform>
            <numerusform>%1: %2, expected KL divergence: %3 nats; %n tensors have other types.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::SizePlot</name>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::SpectrumSection</name>
    <message numerus="yes">
        <source>All %n singular values.</source>
        <translation>
            <numerusform>The only singular value (%n).</numerusform>
            <numerusform>All %n singular values.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The %n largest singular values hold %1 % of the energy.</source>
        <translation>
            <numerusform>The largest singular value (%n) holds %1 % of the energy.</numerusform>
            <numerusform>The %n largest singular values hold %1 % of the energy.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Randomised subspace iteration (Halko, Martinsson, Tropp 2011), %n passes; the last one changed no value by more than %1 %.</source>
        <translation>
            <numerusform>Randomised subspace iteration (Halko, Martinsson, Tropp 2011), %n pass; the last one changed no value by more than %1 %.</numerusform>
            <numerusform>Randomised subspace iteration (Halko, Martinsson, Tropp 2011), %n passes; the last one changed no value by more than %1 %.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n weights are not finite and count as 0.</source>
        <translation>
            <numerusform>%n weight is not finite and counts as 0.</numerusform>
            <numerusform>%n weights are not finite and count as 0.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::SplitDialog</name>
    <message numerus="yes">
        <source>%n files: %1 to %2</source>
        <translation>
            <numerusform>%n file: %1 to %2</numerusform>
            <numerusform>%n files: %1 to %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::StartPage</name>
    <message numerus="yes">
        <source>Restore session (%n tabs)</source>
        <translation>
            <numerusform>Restore session (%n tab)</numerusform>
            <numerusform>Restore session (%n tabs)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::Structure</name>
    <message numerus="yes">
        <source>%n blocks</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TabEditing</name>
    <message numerus="yes">
        <source>Revert all %n unsaved changes of %1?</source>
        <translation>
            <numerusform>Revert the %n unsaved change of %1?</numerusform>
            <numerusform>Revert all %n unsaved changes of %1?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateDiffPage</name>
    <message numerus="yes">
        <source>%n lines differ</source>
        <translation>
            <numerusform>%n line differs</numerusform>
            <numerusform>%n lines differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations</source>
        <translation>
            <numerusform>%n conversation</numerusform>
            <numerusform>%n conversations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateDiffView</name>
    <message numerus="yes">
        <source>  … %n unchanged lines</source>
        <translation>
            <numerusform>  … %n unchanged line</numerusform>
            <numerusform>  … %n unchanged lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateDifferenceDialog</name>
    <message numerus="yes">
        <source>%n lines removed</source>
        <translation>
            <numerusform>%n line removed</numerusform>
            <numerusform>%n lines removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines added</source>
        <translation>
            <numerusform>%n line added</numerusform>
            <numerusform>%n lines added</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplatePage</name>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Only the first %n of %1 characters are shown.</source>
        <translation>
            <numerusform>Only the first of %1 characters is shown.</numerusform>
            <numerusform>Only the first %n of %1 characters are shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n errors</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorDetail</name>
    <message numerus="yes">
        <source>%1 weights</source>
        <translation>
            <numerusform>%1 weight</numerusform>
            <numerusform>%1 weights</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Dequantised %1 weights in %2 ms</source>
        <translation>
            <numerusform>Dequantised %1 weight in %2 ms</numerusform>
            <numerusform>Dequantised %1 weights in %2 ms</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Read %1 weights in %2 ms</source>
        <translation>
            <numerusform>Read %1 weight in %2 ms</numerusform>
            <numerusform>Read %1 weights in %2 ms</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Block %1 bytes, %n weights</source>
        <translation>
            <numerusform>Block %1 bytes, %n weight</numerusform>
            <numerusform>Block %1 bytes, %n weights</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bytes per weight</source>
        <translation>
            <numerusform>%n byte per weight</numerusform>
            <numerusform>%n bytes per weight</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorEdits</name>
    <message numerus="yes">
        <source>Rename %n tensors</source>
        <translation>
            <numerusform>Rename %n tensor</numerusform>
            <numerusform>Rename %n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n tensors</source>
        <translation>
            <numerusform>Delete %n tensor</numerusform>
            <numerusform>Delete %n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n tensors</source>
        <translation>
            <numerusform>Move %n tensor</numerusform>
            <numerusform>Move %n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Import %n tensors from %1</source>
        <translation>
            <numerusform>Import %n tensor from %1</numerusform>
            <numerusform>Import %n tensors from %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorList</name>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n tensors</source>
        <translation>
            <numerusform>%1 of %n tensor</numerusform>
            <numerusform>%1 of %n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 weights</source>
        <translation>
            <numerusform>%1 weight</numerusform>
            <numerusform>%1 weights</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n analysed</source>
        <translation>
            <numerusform>%1 of %n analysed</numerusform>
            <numerusform>%1 of %n analysed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorTreeModel</name>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TextPane</name>
    <message numerus="yes">
        <source>str, %1 bytes</source>
        <translation>
            <numerusform>str, %1 byte</numerusform>
            <numerusform>str, %1 bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n lines</source>
        <translation>
            <numerusform>%1, %n line</numerusform>
            <numerusform>%1, %n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenDetails</name>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation>
            <numerusform>%1 byte</numerusform>
            <numerusform>%1 bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenizerPage</name>
    <message numerus="yes">
        <source>Change the type of %n tokens</source>
        <translation>
            <numerusform>Change the type of %n token</numerusform>
            <numerusform>Change the type of %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Add %n tokens</source>
        <translation>
            <numerusform>Add %n token</numerusform>
            <numerusform>Add %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n selected tokens</source>
        <translation>
            <numerusform>%1 of %n selected token</numerusform>
            <numerusform>%1 of %n selected tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n tokens that the search found</source>
        <translation>
            <numerusform>%1 of %n token that the search found</numerusform>
            <numerusform>%1 of %n tokens that the search found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %1 of %n tokens. A search, or a selection in the table, chooses others.</source>
        <translation>
            <numerusform>The first %1 of %n token. A search, or a selection in the table, chooses others.</numerusform>
            <numerusform>The first %1 of %n tokens. A search, or a selection in the table, chooses others.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::Transcript</name>
    <message numerus="yes">
        <source>Reading the prompt: %1 of %n tokens</source>
        <translation>
            <numerusform>Reading the prompt: %1 of %n token</numerusform>
            <numerusform>Reading the prompt: %1 of %n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TurnView</name>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The %n oldest messages do not fit into the context and were left out.</source>
        <translation>
            <numerusform>The oldest message does not fit into the context and was left out.</numerusform>
            <numerusform>The %n oldest messages do not fit into the context and were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n older tokens do not fit into the context and were left out.</source>
        <translation>
            <numerusform>%n older token does not fit into the context and was left out.</numerusform>
            <numerusform>%n older tokens do not fit into the context and were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events of the server could not be read and were skipped: the answer may be incomplete.</source>
        <translation>
            <numerusform>%n event of the server could not be read and was skipped: the answer may be incomplete.</numerusform>
            <numerusform>%n events of the server could not be read and were skipped: the answer may be incomplete.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TypeBar</name>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n types</source>
        <translation>
            <numerusform>%1, %n type</numerusform>
            <numerusform>%1, %n types</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::UnsavedQuestion</name>
    <message numerus="yes">
        <source>%n unsaved changes</source>
        <translation>
            <numerusform>%n unsaved change</numerusform>
            <numerusform>%n unsaved changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Save the changes to %n models?</source>
        <translation>
            <numerusform>Save the changes to %n model?</numerusform>
            <numerusform>Save the changes to %n models?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::VectorView</name>
    <message numerus="yes">
        <source>%1, %n texts, vectors of %2 elements</source>
        <translation>
            <numerusform>%1, %n text, vectors of %2 elements</numerusform>
            <numerusform>%1, %n texts, vectors of %2 elements</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::Vocabulary</name>
    <message numerus="yes">
        <source>its vocabulary has %n tokens, that of the reference %1</source>
        <translation>
            <numerusform>its vocabulary has %n token, that of the reference %1</numerusform>
            <numerusform>its vocabulary has %n tokens, that of the reference %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::WhatIfButton</name>
    <message numerus="yes">
        <source>%1, all %n tensors</source>
        <translation>
            <numerusform>%1, the only tensor</numerusform>
            <numerusform>%1, all %n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n tensors of the &amp;role %1</source>
        <translation>
            <numerusform>The only tensor of the &amp;role %1</numerusform>
            <numerusform>All %n tensors of the &amp;role %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected tensors</source>
        <translation>
            <numerusform>%n selected tensor</numerusform>
            <numerusform>%n selected tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::WhatIfDialog</name>
    <message numerus="yes">
        <source>%1, %2 weights, %3</source>
        <translation>
            <numerusform>%1, %2 weight, %3</numerusform>
            <numerusform>%1, %2 weights, %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 weights</source>
        <translation>
            <numerusform>%1 weight</numerusform>
            <numerusform>%1 weights</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %1 weights</source>
        <translation>
            <numerusform>The only weight</numerusform>
            <numerusform>All %1 weights</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 weights</source>
        <translation>
            <numerusform>%1 of %2 weight</numerusform>
            <numerusform>%1 of %2 weights</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::WhatIfModel</name>
    <message numerus="yes">
        <source>Rows of these tensors are not whole blocks of %n weights.</source>
        <translation>
            <numerusform>Rows of these tensors are not whole blocks of %n weight.</numerusform>
            <numerusform>Rows of these tensors are not whole blocks of %n weights.</numerusform>
        </translation>
    </message>
</context>
</TS>
