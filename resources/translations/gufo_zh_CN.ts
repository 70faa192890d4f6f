<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Audit</name>
    <message>
        <source>A word of a message changes the prompt</source>
        <translation>消息中的一个词会改变提示词</translation>
    </message>
    <message>
        <source>If a message contains &quot;%1&quot;, the template writes other text: %2</source>
        <translation>如果消息中含有“%1”，模板会写出不同的文本：%2</translation>
    </message>
    <message>
        <source>The number of messages changes the prompt</source>
        <translation>消息数量会改变提示词</translation>
    </message>
    <message>
        <source>With %1 messages, the template writes other text: %2</source>
        <translation>有 %1 条消息时，模板会写出不同的文本：%2</translation>
    </message>
    <message>
        <source>The date changes the prompt</source>
        <translation>日期会改变提示词</translation>
    </message>
    <message>
        <source>On %1, the template writes other text: %2</source>
        <translation>日期为 %1 时，模板会写出不同的文本：%2</translation>
    </message>
    <message>
        <source>Text waits behind a condition on the conversation</source>
        <translation>有文本隐藏在针对对话的条件之后</translation>
    </message>
    <message>
        <source>A condition on the words of messages, their number or the date, which no ordinary conversation fulfils, makes the template write: %1</source>
        <translation>模板含有一个针对消息用词、消息数量或日期的条件，普通对话都不会满足它；一旦满足，模板就会写出：%1</translation>
    </message>
    <message>
        <source>The text of a message is changed</source>
        <translation>消息的文本被改动</translation>
    </message>
    <message>
        <source>A message of the role %1 is not written as it is: %2</source>
        <translation>角色 %1 的消息没有原样写出：%2</translation>
    </message>
    <message>
        <source>The text of a message is repeated</source>
        <translation>消息的文本被重复</translation>
    </message>
    <message>
        <source>A message of the role %1 is also written elsewhere.</source>
        <translation>角色 %1 的消息还被写到了其他位置。</translation>
    </message>
    <message>
        <source>A message is given another role</source>
        <translation>消息被赋予了其他角色</translation>
    </message>
    <message>
        <source>A message of the role %1 is written as one of the role %2.</source>
        <translation>角色 %1 的消息被写成了角色 %2 的消息。</translation>
    </message>
    <message>
        <source>The arguments of a tool call are changed</source>
        <translation>工具调用的参数被改动</translation>
    </message>
    <message>
        <source>A tool call is not written with the arguments that it has: %1</source>
        <translation>写出的工具调用的参数与原来不符：%1</translation>
    </message>
    <message>
        <source>Sentences are added to the conversation</source>
        <translation>对话中被加入了句子</translation>
    </message>
    <message>
        <source>Between or behind the messages, the template writes text that is neither theirs nor markup: %1</source>
        <translation>模板在消息之间或之后写出了既不属于消息、也不是标记的文本：%1</translation>
    </message>
    <message>
        <source>A sentence that the original does not have</source>
        <translation>原始模板中没有的句子</translation>
    </message>
    <message>
        <source>The template is a changed copy, and the change writes a sentence into prompts: %1</source>
        <translation>该模板是改动过的副本，改动之处会把一句话写入提示词：%1</translation>
    </message>
    <message>
        <source>An attribute leads out of the sandbox</source>
        <translation>有属性可通往沙箱之外</translation>
    </message>
    <message>
        <source>%1 leads from a value to Python&apos;s interpreter. No chat template needs it; where templates are not sandboxed, it runs code.</source>
        <translation>%1 可从一个值通往 Python 解释器。没有聊天模板需要它；在模板不受沙箱限制的地方，它会运行代码。</translation>
    </message>
    <message>
        <source>A name from outside of the sandbox</source>
        <translation>来自沙箱之外的名称</translation>
    </message>
    <message>
        <source>%1 does not exist in chat templates; elsewhere it gives access to files, settings or commands.</source>
        <translation>%1 在聊天模板中不存在；在其他地方，它可以访问文件、设置或命令。</translation>
    </message>
    <message>
        <source>Characters that are not visible</source>
        <translation>不可见的字符</translation>
    </message>
    <message>
        <source>The text contains %1: characters that nobody sees, or that change the order in which text is shown.</source>
        <translation>文本中含有 %1：这些字符不可见，或会改变文本的显示顺序。</translation>
    </message>
    <message>
        <source>Delete the characters.</source>
        <translation>删除这些字符。</translation>
    </message>
    <message>
        <source>Encoded text</source>
        <translation>经过编码的文本</translation>
    </message>
    <message>
        <source>This looks like encoded data, which a reader cannot check: %1</source>
        <translation>这看起来像经过编码的数据，阅读者无法核查：%1</translation>
    </message>
    <message>
        <source>A web address in the prompt</source>
        <translation>提示词中有网址</translation>
    </message>
    <message>
        <source>The template writes %1 into prompts, and models repeat addresses.</source>
        <translation>模板会把 %1 写入提示词，而模型会复述网址。</translation>
    </message>
    <message>
        <source>The prompt grows without input</source>
        <translation>提示词在没有输入时也会增长</translation>
    </message>
    <message>
        <source>The template makes a prompt of %1 characters, or takes all time or memory, for a conversation of %2.</source>
        <translation>对话只有 %2 个字符，模板却生成 %1 个字符的提示词，或耗尽时间或内存。</translation>
    </message>
    <message>
        <source>The template is broken</source>
        <translation>模板已损坏</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>No conversation can be rendered</source>
        <translation>任何对话都无法渲染</translation>
    </message>
    <message>
        <source>The template refuses even a single question: %1</source>
        <translation>模板连单独一个问题都拒绝：%1</translation>
    </message>
    <message>
        <source>A conversation fails</source>
        <translation>有对话渲染失败</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>A conversation is refused</source>
        <translation>有对话被拒绝</translation>
    </message>
    <message>
        <source>Messages are left out</source>
        <translation>有消息被略去</translation>
    </message>
    <message>
        <source>Messages of the role %1 do not reach the model.</source>
        <translation>角色 %1 的消息不会传给模型。</translation>
    </message>
    <message>
        <source>System messages are left out</source>
        <translation>系统消息被略去</translation>
    </message>
    <message>
        <source>Messages of the role system do not reach the model, and no error says so.</source>
        <translation>角色 system 的消息不会传给模型，也没有错误提示。</translation>
    </message>
    <message>
        <source>Tools are left out</source>
        <translation>工具被略去</translation>
    </message>
    <message>
        <source>The template does not show tools to the model.</source>
        <translation>模板没有向模型展示工具。</translation>
    </message>
    <message>
        <source>Tool calls are left out</source>
        <translation>工具调用被略去</translation>
    </message>
    <message>
        <source>The template shows tools, but leaves out the calls of earlier answers.</source>
        <translation>模板展示了工具，但略去了先前回答中的调用。</translation>
    </message>
    <message>
        <source>Results of tools are left out</source>
        <translation>工具的结果被略去</translation>
    </message>
    <message>
        <source>The template shows tools, but leaves out their results.</source>
        <translation>模板展示了工具，但略去了工具的结果。</translation>
    </message>
    <message>
        <source>Values are written as Python writes them</source>
        <translation>值以 Python 的写法写出</translation>
    </message>
    <message>
        <source>%1: the template writes %2 instead of JSON or nothing.</source>
        <translation>%1：模板写出的是 %2，而不是 JSON 或空内容。</translation>
    </message>
    <message>
        <source>The beginning token is written twice</source>
        <translation>开头词元被写了两次</translation>
    </message>
    <message>
        <source>Prompts begin with %1 twice.</source>
        <translation>提示词以两个 %1 开头。</translation>
    </message>
    <message>
        <source>The beginning of the answer is missing</source>
        <translation>缺少回答的开头</translation>
    </message>
    <message>
        <source>add_generation_prompt has no effect, although the answers of a conversation begin with %1</source>
        <translation>add_generation_prompt 不起作用，但对话中的回答以 %1 开头</translation>
    </message>
    <message>
        <source>Messages can contain control tokens</source>
        <translation>消息可以含有控制词元</translation>
    </message>
    <message>
        <source>The text of a message is written as it is, so that %1 in it begins or ends a turn unless the program that runs the model keeps it as text.</source>
        <translation>消息的文本被原样写出，因此其中的 %1 会开始或结束一个轮次，除非运行模型的程序将其保留为文本。</translation>
    </message>
    <message>
        <source>White space at the end is part of the prompt</source>
        <translation>末尾的空白字符成为提示词的一部分</translation>
    </message>
    <message>
        <source>The template ends with white space that it writes behind the beginning of the answer.</source>
        <translation>模板以空白字符结尾，这些字符会写在回答的开头之后。</translation>
    </message>
    <message>
        <source>Delete the white space.</source>
        <translation>删除这些空白字符。</translation>
    </message>
    <message>
        <source>The end of answers does not end them</source>
        <translation>回答的结束标记无法结束回答</translation>
    </message>
    <message>
        <source>The template ends answers with %1 (token %2), which is not among the tokens that end generation, so that the model goes on talking to itself.</source>
        <translation>模板以 %1（词元 %2）结束回答，但它不属于结束生成的词元，因此模型会继续自言自语。</translation>
    </message>
    <message>
        <source>Set tokenizer.ggml.eot_token_id to %2.</source>
        <translation>将 tokenizer.ggml.eot_token_id 设为 %2。</translation>
    </message>
    <message>
        <source>A marker is not in the vocabulary</source>
        <translation>有一个标记不在词表中</translation>
    </message>
    <message>
        <source>The template writes %1, which the vocabulary does not have, so that the model sees its letters instead of a token.</source>
        <translation>模板会写出 %1，但词表中没有它，因此模型看到的是逐个字母，而不是一个词元。</translation>
    </message>
    <message>
        <source>It is not known how tools are called</source>
        <translation>不清楚如何调用工具</translation>
    </message>
    <message>
        <source>The template shows tools, but how the model calls them follows from no rendering.</source>
        <translation>模板展示了工具，但从任何渲染结果都无法得知模型如何调用它们。</translation>
    </message>
    <message>
        <source>Tool calls look like text</source>
        <translation>工具调用与文本无法区分</translation>
    </message>
    <message>
        <source>Nothing marks where a tool call begins, so that it cannot be told from an answer.</source>
        <translation>没有任何标记表明工具调用从何处开始，因此无法将它与回答区分开来。</translation>
    </message>
    <message>
        <source>Arguments of tool calls do not survive</source>
        <translation>工具调用的参数无法保全</translation>
    </message>
    <message>
        <source>A tool call that the template writes is not read back with its arguments; they come back as %1</source>
        <translation>模板写出的工具调用，读回时参数与原来不同；读回的参数是 %1</translation>
    </message>
    <message>
        <source>An answer may contain its own end</source>
        <translation>回答中可能含有自身的结尾标记</translation>
    </message>
    <message>
        <source>Answers end with %1, which is ordinary text: an answer that contains it ends there.</source>
        <translation>回答以 %1 结尾，而它是普通文本：含有它的回答会在该处结束。</translation>
    </message>
    <message>
        <source>A line differs from the original</source>
        <translation>有一行与原始模板不同</translation>
    </message>
    <message>
        <source>The original does not have this line: %1</source>
        <translation>原始模板中没有这一行：%1</translation>
    </message>
    <message>
        <source>The program gufo-render-helper, which renders templates, did not respond.</source>
        <translation>渲染模板的程序 gufo-render-helper 没有响应。</translation>
    </message>
    <message>
        <source>The template is longer, or has more texts, than any chat template needs.</source>
        <translation>该模板过长，或文本过多，超出任何聊天模板所需。</translation>
    </message>
    <message>
        <source>The template took too much time.</source>
        <translation>模板耗时过长。</translation>
    </message>
    <message>
        <source>The template took too much memory.</source>
        <translation>模板占用内存过多。</translation>
    </message>
    <message>
        <source>The template rendered none of the conversations.</source>
        <translation>模板未能渲染任何对话。</translation>
    </message>
    <message>
        <source>This is the template of %1.</source>
        <translation>这是 %1 的模板。</translation>
    </message>
    <message>
        <source>This is the template of %1, with parts removed: %2.</source>
        <translation>这是 %1 的模板，但移除了部分内容：%2。</translation>
    </message>
    <message>
        <source>This is the template of %1 with lines changed: %2.</source>
        <translation>这是 %1 的模板，但有几行被改动：%2。</translation>
    </message>
    <message>
        <source>The form of a message changes the prompt</source>
        <translation>消息的形式会改变提示</translation>
    </message>
    <message>
        <source>If a message looks like &quot;%1&quot;, the template writes other text: %2</source>
        <translation>如果消息形如“%1”，模板会写出其他文本：%2</translation>
    </message>
    <message>
        <source>A word of a tool changes the prompt</source>
        <translation>工具中的某个词会改变提示</translation>
    </message>
    <message>
        <source>If the name or the description of a tool contains &quot;%1&quot;, the template writes other text: %2</source>
        <translation>如果工具的名称或说明包含“%1”，模板会写出其他文本：%2</translation>
    </message>
    <message>
        <source>The order of messages is changed</source>
        <translation>消息的顺序被改变</translation>
    </message>
    <message>
        <source>A message of the role %1 is written before an earlier one: %2</source>
        <translation>角色为 %1 的消息被写在更早的消息之前：%2</translation>
    </message>
</context>
<context>
    <name>Battery</name>
    <message>
        <source>A question</source>
        <translation>一个问题</translation>
    </message>
    <message>
        <source>A system message</source>
        <translation>系统消息</translation>
    </message>
    <message>
        <source>Several turns</source>
        <translation>多个轮次</translation>
    </message>
    <message>
        <source>A system message and several turns</source>
        <translation>系统消息与多个轮次</translation>
    </message>
    <message>
        <source>An answered question</source>
        <translation>已回答的问题</translation>
    </message>
    <message>
        <source>A thought before an answer</source>
        <translation>回答前的思考</translation>
    </message>
    <message>
        <source>A thought in an earlier turn</source>
        <translation>较早轮次中的思考</translation>
    </message>
    <message>
        <source>Thinking is switched off</source>
        <translation>思考已关闭</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>A system message and tools</source>
        <translation>系统消息与工具</translation>
    </message>
    <message>
        <source>A tool call</source>
        <translation>一次工具调用</translation>
    </message>
    <message>
        <source>The result of a tool call</source>
        <translation>工具调用的结果</translation>
    </message>
    <message>
        <source>Two calls at once, their results and the answer</source>
        <translation>同时两次调用、其结果与回答</translation>
    </message>
    <message>
        <source>A thought, a text and a tool call</source>
        <translation>思考、文本与一次工具调用</translation>
    </message>
    <message>
        <source>Content in parts</source>
        <translation>分段的内容</translation>
    </message>
    <message>
        <source>Messages without content</source>
        <translation>没有内容的消息</translation>
    </message>
    <message>
        <source>White space around the content</source>
        <translation>内容两侧的空白</translation>
    </message>
</context>
<context>
    <name>Details</name>
    <message>
        <source>the header</source>
        <translation>文件头</translation>
    </message>
    <message>
        <source>a key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>an array element</source>
        <translation>数组元素</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>a token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>the padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>the name of a tensor</source>
        <translation>张量名称</translation>
    </message>
    <message>
        <source>a tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>the normalisation table</source>
        <translation>规范化表</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>array elements</source>
        <translation>数组元素</translation>
    </message>
    <message>
        <source>entries</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>the number of entries</source>
        <translation>条目数量</translation>
    </message>
    <message>
        <source>the name of an entry</source>
        <translation>条目名称</translation>
    </message>
    <message>
        <source>the number of calls of an entry</source>
        <translation>条目的调用次数</translation>
    </message>
    <message>
        <source>the size of an entry</source>
        <translation>条目大小</translation>
    </message>
    <message>
        <source>the values of an entry</source>
        <translation>条目的值</translation>
    </message>
    <message>
        <source>the number of chunks</source>
        <translation>文本段数量</translation>
    </message>
    <message>
        <source>the name of the data set</source>
        <translation>数据集名称</translation>
    </message>
    <message>
        <source>tokens of context</source>
        <translation>上下文词元</translation>
    </message>
    <message>
        <source>elements of the grammar</source>
        <translation>语法元素</translation>
    </message>
    <message>
        <source>nested groups</source>
        <translation>嵌套的组</translation>
    </message>
    <message>
        <source>repetitions of one element</source>
        <translation>单个元素的重复</translation>
    </message>
    <message>
        <source>bytes of grammar</source>
        <translation>语法字节</translation>
    </message>
    <message>
        <source>ways to continue the text</source>
        <translation>文本的续写方式</translation>
    </message>
    <message>
        <source>bytes of header</source>
        <translation>文件头字节</translation>
    </message>
    <message>
        <source>files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>the end of the text</source>
        <translation>文本的结尾</translation>
    </message>
    <message>
        <source>a comma or }</source>
        <translation>逗号或 }</translation>
    </message>
    <message>
        <source>a comma or ]</source>
        <translation>逗号或 ]</translation>
    </message>
    <message>
        <source>a name in quotes</source>
        <translation>带引号的名称</translation>
    </message>
    <message>
        <source>a colon</source>
        <translation>冒号</translation>
    </message>
    <message>
        <source>a string without control characters</source>
        <translation>不含控制字符的字符串</translation>
    </message>
    <message>
        <source>the end of a string</source>
        <translation>字符串的结尾</translation>
    </message>
    <message>
        <source>a string in UTF-8</source>
        <translation>UTF-8 字符串</translation>
    </message>
    <message>
        <source>an escape sequence such as \n or \u00e9</source>
        <translation>转义序列，例如 \n 或 \u00e9</translation>
    </message>
    <message>
        <source>both halves of a surrogate pair</source>
        <translation>代理对的两个部分</translation>
    </message>
    <message>
        <source>well-formed YAML</source>
        <translation>格式正确的 YAML</translation>
    </message>
    <message>
        <source>the name of an anchor</source>
        <translation>锚点名称</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>a string or a number</source>
        <translation>字符串或数字</translation>
    </message>
    <message>
        <source>the name of a type</source>
        <translation>类型名称</translation>
    </message>
    <message>
        <source>element_type or value</source>
        <translation>element_type 或 value</translation>
    </message>
    <message>
        <source>element_type and value</source>
        <translation>element_type 和 value</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a number of elements</source>
        <translation>元素数量</translation>
    </message>
    <message>
        <source>the type of the value</source>
        <translation>值的类型</translation>
    </message>
    <message>
        <source>element_type, the type of the elements</source>
        <translation>element_type，即元素的类型</translation>
    </message>
    <message>
        <source>a list of changes</source>
        <translation>更改列表</translation>
    </message>
    <message>
        <source>a change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>the numbers of a change</source>
        <translation>更改的各个数字</translation>
    </message>
    <message>
        <source>a known change</source>
        <translation>已知的更改</translation>
    </message>
    <message>
        <source>a draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>a draft of version 1</source>
        <translation>版本 1 的草稿</translation>
    </message>
    <message>
        <source>the end of the draft</source>
        <translation>草稿的结尾</translation>
    </message>
    <message>
        <source>key, type, element_type, length or value</source>
        <translation>key、type、element_type、length 或 value</translation>
    </message>
    <message>
        <source>an object of keys</source>
        <translation>由键组成的对象</translation>
    </message>
    <message>
        <source>an object with key, type and value</source>
        <translation>含有 key、type 和 value 的对象</translation>
    </message>
    <message>
        <source>a list of messages</source>
        <translation>消息列表</translation>
    </message>
    <message>
        <source>a message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>a message with a role</source>
        <translation>带有角色的消息</translation>
    </message>
    <message>
        <source>a role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>a part of a message</source>
        <translation>消息的一部分</translation>
    </message>
    <message>
        <source>a string, a list of parts, or null</source>
        <translation>字符串、部分的列表或 null</translation>
    </message>
    <message>
        <source>a tool call</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>the end of a quoted cell</source>
        <translation>带引号单元格的结尾</translation>
    </message>
    <message>
        <source>the name of a rule</source>
        <translation>规则名称</translation>
    </message>
    <message>
        <source>something to match, or the end of the line</source>
        <translation>要匹配的内容，或行尾</translation>
    </message>
    <message>
        <source>something to match, | or )</source>
        <translation>要匹配的内容、| 或 )</translation>
    </message>
    <message>
        <source>the number of a Unicode character before this</source>
        <translation>在此之前的 Unicode 字符编号</translation>
    </message>
    <message>
        <source>the end of the range</source>
        <translation>范围的结尾</translation>
    </message>
    <message>
        <source>a range whose end is not below its start</source>
        <translation>终点不小于起点的范围</translation>
    </message>
    <message>
        <source>a token, written as &lt;text&gt; or &lt;[id]&gt;</source>
        <translation>词元，写作 &lt;text&gt; 或 &lt;[id]&gt;</translation>
    </message>
    <message>
        <source>the id of a token, as in &lt;[128]&gt;</source>
        <translation>词元的 ID，例如 &lt;[128]&gt;</translation>
    </message>
    <message>
        <source>a number of repetitions</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>a second number that is not below the first</source>
        <translation>不小于第一个数的第二个数</translation>
    </message>
    <message>
        <source>a part of type &quot;text&quot;</source>
        <translation>类型为 &quot;text&quot; 的部分</translation>
    </message>
    <message>
        <source>an object with &quot;type&quot; and &quot;value&quot;</source>
        <translation>含有 &quot;type&quot; 和 &quot;value&quot; 的对象</translation>
    </message>
    <message>
        <source>an object with &quot;element_type&quot; and &quot;value&quot;</source>
        <translation>含有 &quot;element_type&quot; 和 &quot;value&quot; 的对象</translation>
    </message>
    <message>
        <source>a value of type %1</source>
        <translation>类型为 %1 的值</translation>
    </message>
    <message numerus="yes">
        <source>%1 elements</source>
        <translation>
            <numerusform>%1 个元素</numerusform>
        </translation>
    </message>
    <message>
        <source>something to match before %1</source>
        <translation>%1 之前要匹配的内容</translation>
    </message>
    <message>
        <source>%1 hexadecimal digits</source>
        <translation>%1 个十六进制数字</translation>
    </message>
    <message>
        <source>one of n r t &quot; \ [ ] - ^ x u U after the backslash</source>
        <translation>反斜杠之后为 n r t &quot; \ [ ] - ^ x u U 之一</translation>
    </message>
    <message>
        <source>the &quot; that ends the literal</source>
        <translation>结束字面量的 &quot;</translation>
    </message>
    <message>
        <source>the ] that ends the character class</source>
        <translation>结束字符类的 ]</translation>
    </message>
    <message>
        <source>a character class that matches something</source>
        <translation>能匹配到内容的字符类</translation>
    </message>
    <message>
        <source>]&gt; after the token&apos;s id</source>
        <translation>词元 ID 之后的 ]&gt;</translation>
    </message>
    <message>
        <source>&gt; after the token&apos;s text</source>
        <translation>词元文本之后的 &gt;</translation>
    </message>
    <message>
        <source>at most %1 repetitions</source>
        <translation>最多 %1 次重复</translation>
    </message>
    <message>
        <source>a line of the form REGEX = TYPE</source>
        <translation>形如 REGEX = TYPE 的行</translation>
    </message>
    <message>
        <source>%1 is expected</source>
        <translation>此处应为：%1</translation>
    </message>
    <message>
        <source>the rule &quot;%1&quot; is defined a second time</source>
        <translation>规则“%1”被第二次定义</translation>
    </message>
    <message>
        <source>this ) has no matching (</source>
        <translation>此处的 ) 没有对应的 (</translation>
    </message>
    <message>
        <source>there is no rule &quot;%1&quot; to begin with</source>
        <translation>没有作为起点的规则“%1”</translation>
    </message>
    <message>
        <source>the rule &quot;%1&quot; is not defined</source>
        <translation>规则“%1”未定义</translation>
    </message>
    <message>
        <source>the rule &quot;%1&quot; begins with itself (left recursion)</source>
        <translation>规则“%1”以自身开头（左递归）</translation>
    </message>
    <message>
        <source>the grammar is not valid UTF-8</source>
        <translation>语法不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>the vocabulary has no token %1</source>
        <translation>词表中没有词元 %1</translation>
    </message>
    <message>
        <source>the array is damaged</source>
        <translation>数组已损坏</translation>
    </message>
    <message>
        <source>an array of arrays cannot be written as CSV</source>
        <translation>由数组组成的数组无法写为 CSV</translation>
    </message>
    <message>
        <source>a key of this name already exists</source>
        <translation>已存在同名的键</translation>
    </message>
    <message>
        <source>a tensor of this name already exists</source>
        <translation>已存在同名的张量</translation>
    </message>
    <message>
        <source>the alignment must be a power of two and at least 8</source>
        <translation>对齐必须是 2 的幂，且不小于 8</translation>
    </message>
    <message>
        <source>the alignment must be a u32, a power of two and at least 8</source>
        <translation>对齐必须是 u32、2 的幂，且不小于 8</translation>
    </message>
    <message>
        <source>GGUF version %1 has no 64-bit values: change the type of the value first</source>
        <translation>GGUF 版本 %1 没有 64 位值：请先更改值的类型</translation>
    </message>
    <message>
        <source>the name of the key is empty</source>
        <translation>键名为空</translation>
    </message>
    <message>
        <source>the name of a key may have %1 bytes, but this one has %2</source>
        <translation>键名最多 %1 个字节，但此键名有 %2 个</translation>
    </message>
    <message>
        <source>the array is damaged or nested more than %1 deep</source>
        <translation>数组已损坏，或嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>this key says which part of a set the file is: split or merge the model instead</source>
        <translation>此键说明该文件是分片组中的第几个：请改为拆分或合并模型</translation>
    </message>
    <message>
        <source>the name of the tensor is empty</source>
        <translation>张量名称为空</translation>
    </message>
    <message>
        <source>the name of a tensor may have %1 bytes, but this one has %2</source>
        <translation>张量名称最多 %1 个字节，但此名称有 %2 个</translation>
    </message>
    <message>
        <source>the name is not valid UTF-8</source>
        <translation>名称不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>the other model has the other byte order: convert it first</source>
        <translation>另一个模型的字节序不同：请先转换它</translation>
    </message>
    <message>
        <source>the data of the tensor is not complete in the other file</source>
        <translation>另一个文件中该张量的数据不完整</translation>
    </message>
    <message>
        <source>the type or the size of the tensor is unknown</source>
        <translation>张量的类型或大小未知</translation>
    </message>
    <message>
        <source>big-endian files have version 3 or later</source>
        <translation>大端文件的版本须为 3 或更高</translation>
    </message>
    <message>
        <source>the byte order of data of an unknown tensor type cannot be changed</source>
        <translation>未知张量类型的数据无法更改字节序</translation>
    </message>
    <message>
        <source>two keys have the same name</source>
        <translation>有两个键同名</translation>
    </message>
    <message>
        <source>two tensors have the same name</source>
        <translation>有两个张量同名</translation>
    </message>
    <message>
        <source>the file would be too large</source>
        <translation>文件会过大</translation>
    </message>
    <message>
        <source>more bytes were given than announced</source>
        <translation>给出的字节多于声明的数量</translation>
    </message>
    <message>
        <source>fewer bytes were given than announced</source>
        <translation>给出的字节少于声明的数量</translation>
    </message>
    <message>
        <source>there would be more than 65,535 files</source>
        <translation>文件会超过 65,535 个</translation>
    </message>
    <message>
        <source>part %1 of %2 is missing (%3)</source>
        <translation>缺少分片 %1（共 %2 个，%3）</translation>
    </message>
    <message>
        <source>part %1 of %2 is empty (%3)</source>
        <translation>分片 %1（共 %2 个）为空（%3）</translation>
    </message>
    <message>
        <source>part %1 of %2 cannot be read (%3)</source>
        <translation>无法读取分片 %1（共 %2 个，%3）</translation>
    </message>
    <message>
        <source>part %1 of %2 is outside of the folder and was not opened (%3)</source>
        <translation>分片 %1（共 %2 个）位于文件夹之外，没有打开（%3）</translation>
    </message>
    <message>
        <source>part %1 of %2 does not belong to the others (%3): %4 is %6 and should be %5</source>
        <translation>分片 %1（共 %2 个）与其他分片不属于一组（%3）：%4 为 %6，应为 %5</translation>
    </message>
    <message>
        <source>part %1 of %2 does not belong to the others (%3): %4</source>
        <translation>分片 %1（共 %2 个）与其他分片不属于一组（%3）：%4</translation>
    </message>
    <message>
        <source>this is part %3 of %2, but its name does not say so, and the other parts cannot be found</source>
        <translation>这是 %2 个分片中的第 %3 个，但其名称没有说明这一点，因而找不到其他分片</translation>
    </message>
    <message>
        <source>part %1 of %2 lacks the tensor %4 (%3)</source>
        <translation>分片 %1（共 %2 个）缺少张量 %4（%3）</translation>
    </message>
    <message>
        <source>parts %2 and %3 of %4 both contain the tensor %1</source>
        <translation>%4 个分片中的第 %2 个和第 %3 个都含有张量 %1</translation>
    </message>
    <message>
        <source>its parts contain %2 tensors, but %1 are announced</source>
        <translation>它的各分片含有 %2 个张量，但声明了 %1 个</translation>
    </message>
    <message>
        <source>%2 is %1 there and %3 in the other parts, as in another quantisation</source>
        <translation>%2 在该处为 %1，在其他分片中为 %3，像是来自另一种量化</translation>
    </message>
    <message>
        <source>%2 has the shape %1 there and %3 in the other parts, as in another model</source>
        <translation>%2 在该处的形状为 %1，在其他分片中为 %3，像是来自另一个模型</translation>
    </message>
    <message>
        <source>its tensors, such as %1, are named like those of another model</source>
        <translation>它的张量（例如 %1）的名称像是来自另一个模型</translation>
    </message>
    <message>
        <source>a file of the set would be replaced by another part of it</source>
        <translation>分片组中的一个文件会被它的另一个分片替换</translation>
    </message>
    <message>
        <source>a file that tensors are imported from would be replaced</source>
        <translation>作为张量导入来源的文件会被替换</translation>
    </message>
    <message>
        <source>a file that tensors are imported from</source>
        <translation>作为张量导入来源的文件</translation>
    </message>
    <message>
        <source>the file that was opened</source>
        <translation>打开的文件</translation>
    </message>
    <message>
        <source>a copy of an interrupted file</source>
        <translation>保存中断的文件的副本</translation>
    </message>
    <message>
        <source>its name is the hash of its content, as in the Hugging Face cache or Ollama&apos;s model store, and would no longer match</source>
        <translation>它的名称是其内容的哈希（如 Hugging Face 缓存或 Ollama 模型存储中那样），更改后将不再相符</translation>
    </message>
    <message>
        <source>it has other hard links, whose content would change too</source>
        <translation>它有其他硬链接，那些链接的内容也会随之改变</translation>
    </message>
    <message>
        <source>the model&apos;s own file cannot be the target</source>
        <translation>模型自身的文件不能作为目标</translation>
    </message>
    <message>
        <source>this file is open here and cannot be replaced: choose another name</source>
        <translation>此文件正在此处打开，无法替换：请选择其他名称</translation>
    </message>
    <message>
        <source>the name of this file is the hash of its content, as in the Hugging Face cache or Ollama&apos;s model store, and would no longer match: choose another name</source>
        <translation>此文件的名称是其内容的哈希（如 Hugging Face 缓存或 Ollama 模型存储中那样），更改后将不再相符：请选择其他名称</translation>
    </message>
    <message>
        <source>two files of the set are the same file</source>
        <translation>分片组中有两个文件是同一个文件</translation>
    </message>
    <message>
        <source>the files of the set are in different folders</source>
        <translation>分片组的文件位于不同文件夹</translation>
    </message>
    <message>
        <source>GGUF has no tensor type %1</source>
        <translation>GGUF 没有张量类型 %1</translation>
    </message>
    <message>
        <source>the weights of the tensor are not stored in order</source>
        <translation>张量的权重未按顺序存储</translation>
    </message>
    <message>
        <source>the byte order of %1 data is unknown</source>
        <translation>%1 数据的字节序未知</translation>
    </message>
    <message>
        <source>version 1 has no dimensions over 2^32</source>
        <translation>版本 1 没有超过 2^32 的维度</translation>
    </message>
    <message>
        <source>version %2 has no values of type %1</source>
        <translation>版本 %2 没有类型为 %1 的值</translation>
    </message>
    <message>
        <source>version 1 has no strings of more than 2^32 bytes</source>
        <translation>版本 1 没有超过 2^32 字节的字符串</translation>
    </message>
    <message>
        <source>version 1 has no arrays of more than 2^32 elements</source>
        <translation>版本 1 没有超过 2^32 个元素的数组</translation>
    </message>
    <message>
        <source>two entries of the importance matrix have this name</source>
        <translation>重要性矩阵中有两个条目使用此名称</translation>
    </message>
    <message>
        <source>the type of an entry of the importance matrix must be F32</source>
        <translation>重要性矩阵的条目必须为 F32 类型</translation>
    </message>
    <message>
        <source>the importance matrix has no %1 beside it</source>
        <translation>重要性矩阵中没有与之配套的 %1</translation>
    </message>
    <message numerus="yes">
        <source>the importance matrix has %1 values but %2 counts for it</source>
        <translation>
            <numerusform>重要性矩阵为它提供了 %1 个值，但有 %2 个计数</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>its importance matrix has %1 values, but the tensor has %2 columns: it belongs to another model</source>
        <translation>
            <numerusform>它的重要性矩阵有 %1 个值，但张量有 %2 列：该矩阵属于另一个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>a count of its importance matrix is not a number of tokens</source>
        <translation>它的重要性矩阵中有一个计数不是词元数</translation>
    </message>
    <message>
        <source>its importance matrix holds values that are negative or not finite</source>
        <translation>它的重要性矩阵含有负值或非有限值</translation>
    </message>
    <message numerus="yes">
        <source>none of the %1 entries of the importance matrix, such as %2, is for a tensor of the model: it belongs to another model</source>
        <translation>
            <numerusform>重要性矩阵的 %1 个条目（例如 %2）都不对应该模型的张量：它属于另一个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>&quot;%1&quot; matches no tensor</source>
        <translation>“%1”不匹配任何张量</translation>
    </message>
    <message>
        <source>&quot;%1&quot; matches only tensors that are not quantised, such as %2; to change one anyway, write its full name</source>
        <translation>“%1”只匹配不会量化的张量，例如 %2；如仍要更改其中一个，请写出它的完整名称</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a type that can be written</source>
        <translation>“%1”不是可以写入的类型</translation>
    </message>
    <message>
        <source>the line &quot;* = TYPE&quot; stands for all other tensors and has to be the last one</source>
        <translation>“* = TYPE”一行代表所有其余张量，必须放在最后</translation>
    </message>
    <message>
        <source>no plan makes a file of at most %1 bytes: with the types that are allowed, the smallest file has %2</source>
        <translation>没有方案能使文件不超过 %1 个字节：在允许的类型下，最小的文件为 %2 个字节</translation>
    </message>
    <message>
        <source>no plan reaches a KL divergence of %1 nats: with the types that are allowed, the smallest is %2</source>
        <translation>没有方案能达到 %1 nat 的 KL 散度：在允许的类型下，最小为 %2</translation>
    </message>
    <message>
        <source>the model has no output tensor, so a type for it has no effect</source>
        <translation>模型没有输出张量，因此为它指定类型不起作用</translation>
    </message>
    <message>
        <source>the model has no token embedding, so a type for it has no effect</source>
        <translation>模型没有词元嵌入，因此为它指定类型不起作用</translation>
    </message>
    <message>
        <source>the importance must be finite and not negative</source>
        <translation>重要性必须是有限值且不为负</translation>
    </message>
    <message numerus="yes">
        <source>rows of %1 weights are not whole blocks of %2, which hold %3</source>
        <translation>
            <numerusform>每行 %1 个权重不是整数个 %2 分块，每个分块含 %3 个权重</numerusform>
        </translation>
    </message>
    <message>
        <source>the number of weights is not a number of whole rows, or the sizes disagree</source>
        <translation>权重数量不是整数行，或各大小互相矛盾</translation>
    </message>
    <message>
        <source>the bytes are not whole blocks of the type</source>
        <translation>这些字节不是该类型的整数个分块</translation>
    </message>
    <message>
        <source>the weight is outside of the block</source>
        <translation>该权重在分块之外</translation>
    </message>
    <message>
        <source>the tensor has no weight %1</source>
        <translation>张量没有权重 %1</translation>
    </message>
    <message>
        <source>the rows or columns lie outside of the tensor</source>
        <translation>行或列超出张量范围</translation>
    </message>
    <message>
        <source>the dimension of the rows does not exist</source>
        <translation>行所在的维度不存在</translation>
    </message>
    <message>
        <source>an index of another dimension lies outside of the tensor</source>
        <translation>另一维度的索引超出张量范围</translation>
    </message>
    <message>
        <source>the size of the picture is invalid</source>
        <translation>图片大小无效</translation>
    </message>
    <message>
        <source>the parts of the tensors that are compared have different sizes</source>
        <translation>所比较的张量部分大小不同</translation>
    </message>
    <message>
        <source>the number of bins is invalid</source>
        <translation>区间数量无效</translation>
    </message>
    <message>
        <source>the range of the histogram is empty or not finite</source>
        <translation>直方图的范围为空或不是有限值</translation>
    </message>
    <message>
        <source>there are no models to compare</source>
        <translation>没有要比较的模型</translation>
    </message>
    <message>
        <source>the reference is not one of the models</source>
        <translation>参照不是所给模型之一</translation>
    </message>
    <message>
        <source>the sizes that the file states overflow 64 bits</source>
        <translation>文件声明的大小超出 64 位</translation>
    </message>
    <message>
        <source>type %1</source>
        <translation>类型 %1</translation>
    </message>
    <message>
        <source>an array of %1</source>
        <translation>%1 的数组</translation>
    </message>
    <message>
        <source>the tokenizer %1</source>
        <translation>分词器 %1</translation>
    </message>
    <message>
        <source>the saved state belongs to another model or is damaged</source>
        <translation>保存的状态属于另一个模型，或已损坏</translation>
    </message>
    <message>
        <source>the conversation is not a JSON object</source>
        <translation>该对话不是 JSON 对象</translation>
    </message>
    <message>
        <source>the conversation was written by a newer version of the program</source>
        <translation>该对话由更新版本的程序写入</translation>
    </message>
    <message>
        <source>the messages of the conversation are damaged</source>
        <translation>对话中的消息已损坏</translation>
    </message>
    <message>
        <source>the vocabularies have different sizes: %1 and %2 tokens</source>
        <translation>两个词表大小不同：%1 个和 %2 个词元</translation>
    </message>
    <message>
        <source>the models have different architectures: %1 and %2</source>
        <translation>两个模型的架构不同：%1 和 %2</translation>
    </message>
    <message>
        <source>the model has no experts</source>
        <translation>该模型没有专家</translation>
    </message>
    <message>
        <source>there is no scored position %1: the text has %2 of them, counted from 0</source>
        <translation>没有评分位置 %1：文本共有 %2 个，从 0 开始计数</translation>
    </message>
    <message>
        <source>the prompt has no tokens</source>
        <translation>提示词没有词元</translation>
    </message>
    <message>
        <source>there is no model or no text to run</source>
        <translation>没有可运行的模型或文本</translation>
    </message>
    <message numerus="yes">
        <source>the text has %1 tokens, too few for a window of %2</source>
        <translation>
            <numerusform>文本有 %1 个词元，不足以填满 %2 的窗口</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tokens cannot be removed: the context is shorter</source>
        <translation>
            <numerusform>无法移除 %1 个词元：上下文比这更短</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is not a valid RoPE base or scale</source>
        <translation>%1 不是有效的 RoPE 基数或缩放因子</translation>
    </message>
    <message>
        <source>RoPE scaling %1 cannot be selected: it needs factors from the file</source>
        <translation>无法选择 RoPE 缩放 %1：它需要文件提供的因子</translation>
    </message>
    <message>
        <source>a $ref leads back to itself: %1</source>
        <translation>一个 $ref 会回到自身：%1</translation>
    </message>
    <message>
        <source>schemas are nested too deeply</source>
        <translation>Schema 嵌套过深</translation>
    </message>
    <message>
        <source>false allows nothing</source>
        <translation>false 不允许任何内容</translation>
    </message>
    <message>
        <source>a schema is an object, true or false</source>
        <translation>Schema 须为对象、true 或 false</translation>
    </message>
    <message>
        <source>the keyword %1 is not supported</source>
        <translation>不支持关键字 %1</translation>
    </message>
    <message>
        <source>a reference to another document is not supported</source>
        <translation>不支持引用其他文档</translation>
    </message>
    <message>
        <source>there is nothing at %1</source>
        <translation>%1 处没有任何内容</translation>
    </message>
    <message>
        <source>this is not a list of schemas</source>
        <translation>这不是 Schema 列表</translation>
    </message>
    <message>
        <source>schemas refer to each other</source>
        <translation>Schema 之间互相引用</translation>
    </message>
    <message>
        <source>this alternative of oneOf may overlap with the one at %1; use anyOf to allow this</source>
        <translation>oneOf 的此选项可能与 %1 处的选项重叠；如允许重叠，请使用 anyOf</translation>
    </message>
    <message>
        <source>none of the alternatives can match</source>
        <translation>没有一个选项能够匹配</translation>
    </message>
    <message>
        <source>this is not a list of values</source>
        <translation>这不是值列表</translation>
    </message>
    <message>
        <source>the rest of the schema allows none of the values</source>
        <translation>Schema 的其余部分不允许其中任何值</translation>
    </message>
    <message>
        <source>this cannot be guaranteed for these elements: they could be written in several ways, or there may be too few different ones</source>
        <translation>无法为这些元素保证这一点：它们可能有多种写法，或不同的元素可能太少</translation>
    </message>
    <message>
        <source>minItems exceeds the number of described items</source>
        <translation>minItems 超过所描述项的数量</translation>
    </message>
    <message>
        <source>this is not an object of schemas</source>
        <translation>这不是由 Schema 组成的对象</translation>
    </message>
    <message>
        <source>this is not a list of names</source>
        <translation>这不是名称列表</translation>
    </message>
    <message>
        <source>a required property is forbidden by additionalProperties</source>
        <translation>必需的属性被 additionalProperties 禁止</translation>
    </message>
    <message>
        <source>another part excludes this type</source>
        <translation>另一部分排除了此类型</translation>
    </message>
    <message>
        <source>this type is not known</source>
        <translation>此类型未知</translation>
    </message>
    <message>
        <source>the list of types is empty</source>
        <translation>类型列表为空</translation>
    </message>
    <message>
        <source>this is not a count</source>
        <translation>这不是一个数量</translation>
    </message>
    <message>
        <source>%1 is below %2</source>
        <translation>%1 小于 %2</translation>
    </message>
    <message>
        <source>this is not a regular expression</source>
        <translation>这不是正则表达式</translation>
    </message>
    <message>
        <source>this bound is not a number of up to %1 digits</source>
        <translation>此界限不是最多 %1 位的数字</translation>
    </message>
    <message>
        <source>the minimum is above the maximum</source>
        <translation>最小值大于最大值</translation>
    </message>
    <message>
        <source>no value satisfies all restrictions</source>
        <translation>没有值能满足所有限制</translation>
    </message>
    <message>
        <source>values that violate %1 cannot be generated, as not, if and oneOf would need here</source>
        <translation>无法生成违反 %1 的值，而此处的 not、if 和 oneOf 需要这样的值</translation>
    </message>
    <message>
        <source>multiples of this number are not supported together with the other restrictions</source>
        <translation>不支持将此数的倍数与其他限制同时使用</translation>
    </message>
    <message>
        <source>a multiple needs a positive number</source>
        <translation>倍数需要正数</translation>
    </message>
    <message>
        <source>the name of a format is a text</source>
        <translation>格式的名称须为文本</translation>
    </message>
    <message>
        <source>this is not a number</source>
        <translation>这不是数字</translation>
    </message>
    <message>
        <source>an exclusive bound is a number; true and false belong to draft 4</source>
        <translation>排他性界限须为数字；true 和 false 属于 draft 4</translation>
    </message>
    <message>
        <source>this is neither true nor false</source>
        <translation>这既不是 true 也不是 false</translation>
    </message>
    <message>
        <source>parts of the schema, with everything that follows from references and alternatives</source>
        <translation>Schema 的部分，包括由引用和选项得出的一切</translation>
    </message>
    <message>
        <source>a ) of the pattern has no matching (</source>
        <translation>模式中有一个 ) 没有对应的 (</translation>
    </message>
    <message>
        <source>the groups of the pattern are nested too deeply</source>
        <translation>模式中的组嵌套过深</translation>
    </message>
    <message>
        <source>a { of the pattern has no matching }</source>
        <translation>模式中有一个 { 没有对应的 }</translation>
    </message>
    <message>
        <source>the numbers in {} of the pattern cannot be read</source>
        <translation>无法读取模式中 {} 内的数字</translation>
    </message>
    <message>
        <source>an anchor (%1) inside of the pattern is not supported</source>
        <translation>不支持模式内部的锚点（%1）</translation>
    </message>
    <message>
        <source>the pattern has nothing before %1</source>
        <translation>模式中 %1 之前没有内容</translation>
    </message>
    <message>
        <source>a group with (?%1 in the pattern is not supported</source>
        <translation>不支持模式中带有 (?%1 的组</translation>
    </message>
    <message>
        <source>a ( of the pattern has no matching )</source>
        <translation>模式中有一个 ( 没有对应的 )</translation>
    </message>
    <message>
        <source>the pattern ends in a backslash</source>
        <translation>模式以反斜杠结尾</translation>
    </message>
    <message>
        <source>\%1 in the pattern is not supported</source>
        <translation>不支持模式中的 \%1</translation>
    </message>
    <message>
        <source>a [ of the pattern has no matching ]</source>
        <translation>模式中有一个 [ 没有对应的 ]</translation>
    </message>
    <message>
        <source>a range in a character class of the pattern is invalid</source>
        <translation>模式的字符类中有一个范围无效</translation>
    </message>
    <message>
        <source>a character class of the pattern matches nothing</source>
        <translation>模式中的一个字符类不匹配任何内容</translation>
    </message>
    <message>
        <source>this is too large to be checked, perhaps together with other restrictions</source>
        <translation>内容过大，无法检查（可能是与其他限制合在一起所致）</translation>
    </message>
    <message>
        <source>the byte order</source>
        <translation>字节序</translation>
    </message>
    <message>
        <source>the version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>the format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>little-endian</source>
        <translation>小端</translation>
    </message>
    <message>
        <source>big-endian</source>
        <translation>大端</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>a text that is not empty</source>
        <translation>非空的文本</translation>
    </message>
    <message>
        <source>a number above 0</source>
        <translation>大于 0 的数字</translation>
    </message>
    <message>
        <source>a number of at least %1</source>
        <translation>不小于 %1 的数字</translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation>%1 到 %2 之间的数字</translation>
    </message>
    <message>
        <source>bytes of a tensor that repeats what is stored</source>
        <translation>重复所存内容的张量的字节</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a collection of values (length %1)</source>
        <translation>值的集合（长度 %1）</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>the value is not a text</source>
        <translation>该值不是文本</translation>
    </message>
    <message>
        <source>a part of its description occurs twice</source>
        <translation>其描述中有一部分出现了两次</translation>
    </message>
    <message>
        <source>the data type %1 is not known</source>
        <translation>数据类型 %1 未知</translation>
    </message>
    <message>
        <source>its data ends before it begins</source>
        <translation>它的数据在开始之前就结束了</translation>
    </message>
    <message>
        <source>its data type, shape or position is missing</source>
        <translation>缺少它的数据类型、形状或位置</translation>
    </message>
    <message>
        <source>its shape gives no size: it overflows 64 bits, or is not a number of whole bytes</source>
        <translation>它的形状无法得出大小：超出 64 位，或不是整数个字节</translation>
    </message>
    <message numerus="yes">
        <source>its data have %1 bytes, but its shape needs %2</source>
        <translation>
            <numerusform>它的数据有 %1 个字节，但其形状需要 %2 个</numerusform>
        </translation>
    </message>
    <message>
        <source>its data overlap those of another tensor</source>
        <translation>它的数据与另一个张量的数据重叠</translation>
    </message>
    <message>
        <source>its data do not begin where those of the tensor before them end</source>
        <translation>它的数据没有从前一个张量数据结束之处开始</translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes follow the last tensor</source>
        <translation>
            <numerusform>最后一个张量之后还有 %1 个字节</numerusform>
        </translation>
    </message>
    <message>
        <source>it has no weight_map, which states the file of each tensor</source>
        <translation>它没有 weight_map，即每个张量所在文件的说明</translation>
    </message>
    <message>
        <source>the archive ends without the list of its entries: it is incomplete</source>
        <translation>归档在条目列表之前就结束了：文件不完整</translation>
    </message>
    <message>
        <source>the list of the archive&apos;s entries is damaged</source>
        <translation>归档的条目列表已损坏</translation>
    </message>
    <message>
        <source>the name of the entry &quot;%1&quot; could lead out of the archive</source>
        <translation>条目“%1”的名称可能指向归档之外</translation>
    </message>
    <message>
        <source>the archive has two entries named %1</source>
        <translation>归档中有两个名为 %1 的条目</translation>
    </message>
    <message>
        <source>the archive has no entry %1</source>
        <translation>归档中没有条目 %1</translation>
    </message>
    <message>
        <source>the entry %1 is compressed or encrypted, which checkpoints never are</source>
        <translation>条目 %1 经过压缩或加密，而检查点从不如此</translation>
    </message>
    <message>
        <source>the two descriptions of the entry %1 in the archive disagree</source>
        <translation>归档中对条目 %1 的两处描述互相矛盾</translation>
    </message>
    <message>
        <source>the pickle has the unknown opcode %1</source>
        <translation>pickle 含有未知操作码 %1</translation>
    </message>
    <message>
        <source>an opcode of the pickle lacks the values that it needs</source>
        <translation>pickle 的一个操作码缺少所需的值</translation>
    </message>
    <message>
        <source>a frame of the pickle is longer than the pickle</source>
        <translation>pickle 的一个帧比 pickle 本身更长</translation>
    </message>
    <message>
        <source>a number of the pickle is invalid</source>
        <translation>pickle 中有一个数字无效</translation>
    </message>
    <message>
        <source>it is not the layout of a known family of models (LLaMA, GPT-2, GPT-J, GPT-NeoX, MPT, Whisper), or it is damaged near its beginning</source>
        <translation>它不是已知模型系列（LLaMA、GPT-2、GPT-J、GPT-NeoX、MPT、Whisper）的布局，或在接近开头处已损坏</translation>
    </message>
    <message>
        <source>it is not a valid protobuf message</source>
        <translation>它不是有效的 protobuf 消息</translation>
    </message>
    <message>
        <source>it describes no tokens</source>
        <translation>它没有描述任何词元</translation>
    </message>
    <message>
        <source>one of its dimensions is %1</source>
        <translation>它的一个维度为 %1</translation>
    </message>
    <message>
        <source>its name, or the target of the link that it is, lies outside of the folder</source>
        <translation>它的名称，或它作为链接所指的目标，位于文件夹之外</translation>
    </message>
    <message>
        <source>the entry %1 is a link or a device and not a file</source>
        <translation>条目 %1 是链接或设备，而不是文件</translation>
    </message>
    <message>
        <source>the header of an entry of the archive is damaged</source>
        <translation>归档中一个条目的头部已损坏</translation>
    </message>
    <message>
        <source>the entry %1 has %2 bytes, more than the rest of the archive (%3)</source>
        <translation>条目 %1 有 %2 个字节，超过归档的剩余部分（%3）</translation>
    </message>
    <message>
        <source>it contains no graph, and thus no tensors</source>
        <translation>它不含计算图，因此没有张量</translation>
    </message>
    <message>
        <source>the manifest names no file of a model</source>
        <translation>清单中没有列出模型文件</translation>
    </message>
    <message>
        <source>its pieces are too large to be opened as one, because their sizes are not multiples of a memory page: join them with `gufo-cli merge`</source>
        <translation>它的各段过大，无法作为一个整体打开，因为它们的大小不是内存页的整数倍：请用 `gufo-cli merge` 合并</translation>
    </message>
    <message>
        <source>the header would have %1 bytes, and the format allows %2</source>
        <translation>文件头会有 %1 个字节，而格式只允许 %2 个</translation>
    </message>
    <message>
        <source>the folder contains no model</source>
        <translation>该文件夹中没有模型</translation>
    </message>
    <message numerus="yes">
        <source>the folder contains %1 models: choose one of its files</source>
        <translation>
            <numerusform>该文件夹中有 %1 个模型：请选择其中一个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is %2, with which no model can be run</source>
        <translation>%1 为 %2，无法据此运行任何模型</translation>
    </message>
    <message>
        <source>%1 has values with which no model can be run</source>
        <translation>%1 含有无法据此运行任何模型的值</translation>
    </message>
    <message>
        <source>config.json does not name the class of the model</source>
        <translation>config.json 没有说明模型的类</translation>
    </message>
    <message>
        <source>models of the class %1 cannot be converted; those of these classes can: %2</source>
        <translation>无法转换类为 %1 的模型；可以转换的类有：%2</translation>
    </message>
    <message>
        <source>tensors without a place in the converted model (%1): %2</source>
        <translation>在转换后的模型中没有位置的张量（%1 个）：%2</translation>
    </message>
    <message>
        <source>the experts are incomplete: %1 of %2</source>
        <translation>专家不完整：%1 / %2</translation>
    </message>
    <message>
        <source>config.json does not state %1</source>
        <translation>config.json 没有说明 %1</translation>
    </message>
    <message>
        <source>the operation %1 does not fit the shape %2</source>
        <translation>运算 %1 与形状 %2 不符</translation>
    </message>
    <message>
        <source>its quantisation cannot be read: %1</source>
        <translation>无法读取它的量化：%1</translation>
    </message>
    <message>
        <source>the tensor %1 is missing beside it</source>
        <translation>缺少与之配套的张量 %1</translation>
    </message>
    <message>
        <source>runtimes have no place for this bias, and it is not zero</source>
        <translation>运行时没有此偏置的位置，而它不为零</translation>
    </message>
    <message>
        <source>it is not the address of a file or a server</source>
        <translation>它不是文件或服务器的地址</translation>
    </message>
    <message>
        <source>its scheme is %1, and only https is used</source>
        <translation>其协议为 %1，但只使用 https</translation>
    </message>
    <message>
        <source>without encryption (http), %1 is only contacted if you allow it</source>
        <translation>不加密（http）时，只有经允许才会连接 %1</translation>
    </message>
    <message>
        <source>it contains a user name or a password</source>
        <translation>它含有用户名或密码</translation>
    </message>
    <message>
        <source>it redirects more than %1 times</source>
        <translation>重定向超过 %1 次</translation>
    </message>
    <message>
        <source>it redirects to %1 without encryption</source>
        <translation>它在不加密的情况下重定向到 %1</translation>
    </message>
    <message>
        <source>a server elsewhere redirects to %1, which is in a private network or on this computer</source>
        <translation>其他地方的服务器重定向到 %1，而它位于专用网络或本机</translation>
    </message>
    <message>
        <source>there is no host of this name</source>
        <translation>没有此名称的主机</translation>
    </message>
    <message>
        <source>no server accepts connections there</source>
        <translation>该处没有服务器接受连接</translation>
    </message>
    <message>
        <source>the server closed the connection</source>
        <translation>服务器关闭了连接</translation>
    </message>
    <message>
        <source>the network is not available</source>
        <translation>网络不可用</translation>
    </message>
    <message>
        <source>the server sent hardly any data for %1 seconds</source>
        <translation>服务器在 %1 秒内几乎没有发送数据</translation>
    </message>
    <message>
        <source>the proxy does not work</source>
        <translation>代理无法工作</translation>
    </message>
    <message>
        <source>what it sends is not HTTP</source>
        <translation>它发送的不是 HTTP</translation>
    </message>
    <message>
        <source>the connection failed with the error %1</source>
        <translation>连接失败，错误为 %1</translation>
    </message>
    <message>
        <source>it is encoded as %1, although unencoded bytes were requested</source>
        <translation>它以 %1 编码，但请求的是未编码的字节</translation>
    </message>
    <message>
        <source>it has more than %1 bytes</source>
        <translation>它超过 %1 个字节</translation>
    </message>
    <message>
        <source>it ended after %1 of %2 bytes</source>
        <translation>在 %2 个字节中的第 %1 个之后中断</translation>
    </message>
    <message>
        <source>the server does not send parts of files</source>
        <translation>服务器不发送文件的部分内容</translation>
    </message>
    <message>
        <source>it is another part of the file (%2) than the one requested (%1)</source>
        <translation>它是文件的另一部分（%2），而不是所请求的部分（%1）</translation>
    </message>
    <message>
        <source>it does not state the size of the file</source>
        <translation>它没有说明文件大小</translation>
    </message>
    <message>
        <source>it does not follow the interface of this server</source>
        <translation>它不遵循此服务器的接口</translation>
    </message>
    <message>
        <source>it states a size of %1 bytes; the limit is %2</source>
        <translation>它声明的大小为 %1 个字节；上限为 %2</translation>
    </message>
    <message numerus="yes">
        <source>the repository has %1 models, so that one must be named: %2</source>
        <translation>
            <numerusform>仓库中有 %1 个模型，必须指定其中一个：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>a file of this name already exists</source>
        <translation>已存在同名文件</translation>
    </message>
    <message>
        <source>the server does not state the SHA-256 of the file; parts of it can be compared</source>
        <translation>服务器没有说明文件的 SHA-256；可以比较文件的部分内容</translation>
    </message>
    <message numerus="yes">
        <source>the repository lacks %1 shards of the model, such as part %2 of %3</source>
        <translation>
            <numerusform>仓库缺少该模型的 %1 个分片，例如 %3 个中的第 %2 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors have another name, type, shape or place in the file on the server: %2</source>
        <translation>
            <numerusform>有 %1 个张量在服务器上的文件中名称、类型、形状或位置不同：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>the model consists of %1 files here and of %2 on the server</source>
        <translation>此处的模型由 %1 个文件组成，服务器上的由 %2 个文件组成</translation>
    </message>
    <message>
        <source>the weights of %1 differ in the file on the server: only the whole file can be updated</source>
        <translation>%1 的权重与服务器上的文件不同：只能更新整个文件</translation>
    </message>
    <message>
        <source>the file on the server has another format, version or byte order</source>
        <translation>服务器上的文件格式、版本或字节序不同</translation>
    </message>
    <message>
        <source>converting files of the family %1 is not supported: they lack what programs need to run them as GGUF</source>
        <translation>不支持转换 %1 系列的文件：其中缺少程序将其作为 GGUF 运行所需的内容</translation>
    </message>
    <message>
        <source>the slices of this tensor in the %1 files of the model do not fit together, or one is missing</source>
        <translation>此张量在模型的 %1 个文件中的切片不能拼合，或缺少一个</translation>
    </message>
    <message>
        <source>the file is not a LoRA adapter</source>
        <translation>该文件不是 LoRA 适配器</translation>
    </message>
    <message>
        <source>the configuration of the base model is not known</source>
        <translation>不知道基础模型的配置</translation>
    </message>
    <message>
        <source>a GGUF adapter cannot express what adapter_config.json asks for: %1 = %2</source>
        <translation>GGUF 适配器无法表达 adapter_config.json 的要求：%1 = %2</translation>
    </message>
    <message>
        <source>the adapter contains tensors that are not pairs of LoRA factors (%1): %2</source>
        <translation>适配器含有不成 LoRA 因子对的张量（%1 个）：%2</translation>
    </message>
    <message>
        <source>the operation %1 on the matrix cannot be applied to its two factors</source>
        <translation>对矩阵的运算 %1 无法应用于它的两个因子</translation>
    </message>
    <message>
        <source>the adapter is made for the architecture %1, the base model has %2</source>
        <translation>该适配器用于架构 %1，而基础模型的架构为 %2</translation>
    </message>
    <message>
        <source>this build of Gufo has no support for it, because it was built without the headers of libllama</source>
        <translation>当前的 Gufo 在构建时没有 libllama 的头文件，因此不支持它</translation>
    </message>
    <message>
        <source>the program that runs it belongs to another version of Gufo</source>
        <translation>运行它的程序属于另一个版本的 Gufo</translation>
    </message>
    <message>
        <source>libllama is not installed (%1)</source>
        <translation>未安装 libllama（%1）</translation>
    </message>
    <message>
        <source>version %1 of libllama is not known; this build of Gufo knows %2</source>
        <translation>libllama 的版本 %1 未知；当前的 Gufo 支持的是 %2</translation>
    </message>
    <message>
        <source>version %1 of libllama lacks functions: %2</source>
        <translation>libllama 的版本 %1 缺少函数：%2</translation>
    </message>
    <message>
        <source>in version %1 of libllama, %2 has %3 bytes instead of %4</source>
        <translation>在 libllama 的版本 %1 中，%2 有 %3 个字节，而不是 %4 个</translation>
    </message>
    <message>
        <source>its process was ended by signal %1, so the model has to be loaded again; its last output: &quot;%2&quot;</source>
        <translation>其进程被信号 %1 终止，因此必须重新加载模型；最后的输出：“%2”</translation>
    </message>
    <message>
        <source>its process ended with code %1, so the model has to be loaded again; its last output: &quot;%2&quot;</source>
        <translation>其进程以代码 %1 结束，因此必须重新加载模型；最后的输出：“%2”</translation>
    </message>
    <message>
        <source>its process did not respond for %1 seconds and was ended, so the model has to be loaded again; its last output: &quot;%2&quot;</source>
        <translation>其进程在 %1 秒内没有响应，已被终止，因此必须重新加载模型；最后的输出：“%2”</translation>
    </message>
    <message>
        <source>its process did not stop within %1 seconds and was ended, so the model has to be loaded again; its last output: &quot;%2&quot;</source>
        <translation>其进程在 %1 秒内没有停止，已被终止，因此必须重新加载模型；最后的输出：“%2”</translation>
    </message>
    <message>
        <source>its process broke the protocol and was ended; its last output: &quot;%1&quot;</source>
        <translation>其进程违反协议，已被终止；最后的输出：“%1”</translation>
    </message>
    <message>
        <source>the library refuses the model or these settings: &quot;%1&quot;</source>
        <translation>该库拒绝此模型或这些设置：“%1”</translation>
    </message>
    <message>
        <source>the library has no back end for other machines (RPC)</source>
        <translation>该库没有用于其他机器的后端（RPC）</translation>
    </message>
    <message>
        <source>the library could not evaluate the tokens: &quot;%1&quot;</source>
        <translation>该库无法计算这些词元：“%1”</translation>
    </message>
    <message>
        <source>there is not enough memory (&quot;%1&quot;)</source>
        <translation>内存不足（“%1”）</translation>
    </message>
    <message>
        <source>the library computed logits that are not numbers</source>
        <translation>该库计算出的 logits 不是数字</translation>
    </message>
    <message>
        <source>it reads models from GGUF files on this computer only</source>
        <translation>它只能从本机的 GGUF 文件读取模型</translation>
    </message>
    <message>
        <source>its process was ended by signal %1, so the model has to be loaded again</source>
        <translation>其进程被信号 %1 终止，因此必须重新加载模型</translation>
    </message>
    <message>
        <source>its process ended with code %1, so the model has to be loaded again</source>
        <translation>其进程以代码 %1 结束，因此必须重新加载模型</translation>
    </message>
    <message>
        <source>its process did not respond for %1 seconds and was ended, so the model has to be loaded again</source>
        <translation>其进程在 %1 秒内没有响应，已被终止，因此必须重新加载模型</translation>
    </message>
    <message>
        <source>its process did not stop within %1 seconds and was ended, so the model has to be loaded again</source>
        <translation>其进程在 %1 秒内没有停止，已被终止，因此必须重新加载模型</translation>
    </message>
    <message>
        <source>its process broke the protocol and was ended</source>
        <translation>其进程违反协议，已被终止</translation>
    </message>
    <message>
        <source>no block would be left, or too many</source>
        <translation>将没有剩余的块，或块过多</translation>
    </message>
    <message>
        <source>which kind a block is follows from its number (%1), so that only blocks at the end can be dropped</source>
        <translation>块的种类由其编号决定（%1），因此只能删除末尾的块</translation>
    </message>
    <message>
        <source>it has no blocks that predict further tokens (MTP)</source>
        <translation>它没有预测后续词元的块（MTP）</translation>
    </message>
    <message>
        <source>the model already has blocks that predict further tokens (MTP)</source>
        <translation>模型已有预测后续词元的块（MTP）</translation>
    </message>
    <message>
        <source>it is of the architecture %1, but the model is of %2</source>
        <translation>它的架构是 %1，而模型的架构是 %2</translation>
    </message>
    <message>
        <source>its embeddings have %1 elements, but those of the model have %2</source>
        <translation>它的嵌入有 %1 个元素，而模型的嵌入有 %2 个</translation>
    </message>
    <message>
        <source>it has no values of %1 for its blocks</source>
        <translation>它没有为自己的块提供 %1 的值</translation>
    </message>
    <message>
        <source>the result would be invalid: %1 (%2)</source>
        <translation>结果将无效：%1（%2）</translation>
    </message>
    <message>
        <source>this cannot be the name of a file</source>
        <translation>这不能用作文件名</translation>
    </message>
    <message>
        <source>it has %1 rows for %2 tokens; repair that first</source>
        <translation>它有 %1 行，而词元有 %2 个；请先修复</translation>
    </message>
    <message>
        <source>it has %1 elements for %2 tokens; repair that first</source>
        <translation>它有 %1 个元素，而词元有 %2 个；请先修复</translation>
    </message>
    <message>
        <source>the type of its elements cannot hold the value of a new token</source>
        <translation>其元素的类型无法容纳新词元的值</translation>
    </message>
    <message>
        <source>a token needs a text</source>
        <translation>词元必须有文本</translation>
    </message>
    <message>
        <source>the text of a token must be UTF-8</source>
        <translation>词元的文本必须是 UTF-8</translation>
    </message>
    <message>
        <source>the vocabulary already has %1, with the id %2</source>
        <translation>词表中已有 %1，其 ID 为 %2</translation>
    </message>
    <message>
        <source>%1 names it, so it must stay</source>
        <translation>%1 指定了它，因此必须保留</translation>
    </message>
    <message>
        <source>it stands for a byte, which texts could not contain without it</source>
        <translation>它代表一个字节，没有它，文本就无法包含该字节</translation>
    </message>
    <message>
        <source>the chat template prints it, so it must stay</source>
        <translation>聊天模板会输出它，因此必须保留</translation>
    </message>
    <message>
        <source>no token would be left</source>
        <translation>将没有剩余的词元</translation>
    </message>
    <message>
        <source>no row of the tensor would be left</source>
        <translation>该张量将没有剩余的行</translation>
    </message>
    <message>
        <source>the adapter was trained with %1 tokens, the base model has %2: first give the model the same tokens, with gufo-cli set MODEL --vocab</source>
        <translation>适配器训练时有 %1 个词元，而基础模型有 %2 个：请先用 gufo-cli set MODEL --vocab 使模型具有相同的词元</translation>
    </message>
    <message>
        <source>no block of the model has attention: each has a state of constant size instead</source>
        <translation>模型的所有块都没有注意力：每个块只有大小固定的状态</translation>
    </message>
    <message>
        <source>there is no block %1: the model has %2 of them, counted from 0</source>
        <translation>没有块 %1：模型共有 %2 个块，从 0 开始计数</translation>
    </message>
    <message>
        <source>block %1 has no attention; block %2 has</source>
        <translation>块 %1 没有注意力；块 %2 有</translation>
    </message>
    <message>
        <source>there is no head %1 in block %2, which has %3 of them, counted from 0</source>
        <translation>没有头 %1：块 %2 共有 %3 个头，从 0 开始计数</translation>
    </message>
    <message numerus="yes">
        <source>the text has %1 tokens, and all heads of a block are shown for at most %2; choose one head</source>
        <translation>
            <numerusform>文本有 %1 个词元，而同时显示一个块的所有头时最多 %2 个；请选择一个头</numerusform>
        </translation>
    </message>
    <message>
        <source>the picture would need %1 bytes of memory, and at most %2 are used; choose a shorter text</source>
        <translation>图片需要 %1 个字节的内存，而最多使用 %2 个；请选择较短的文本</translation>
    </message>
    <message>
        <source>between %2 and %3 experts of each block can be kept, not %1: each token uses %2 of them</source>
        <translation>每个块可以保留 %2 到 %3 个专家，而不是 %1 个：每个词元使用其中 %2 个</translation>
    </message>
    <message>
        <source>all blocks must keep equally many experts, but block %1 would keep %2 and another one %3</source>
        <translation>所有块必须保留相同数量的专家，但块 %1 会保留 %2 个，另一个块会保留 %3 个</translation>
    </message>
    <message>
        <source>experts are chosen from %2 groups, each of which must keep equally many; those of block %1 would not</source>
        <translation>专家从 %2 个组中选出，每组必须保留相同数量；块 %1 不满足这一点</translation>
    </message>
    <message>
        <source>there is no expert %1 in block %2, which has %3 of them, counted from 0</source>
        <translation>块 %2 中没有专家 %1：它有 %3 个专家，从 0 开始计数</translation>
    </message>
    <message>
        <source>it does not count the experts of block %1</source>
        <translation>它没有统计块 %1 的专家</translation>
    </message>
    <message>
        <source>which experts matter is not known: name an importance matrix that counts them, or a list of experts</source>
        <translation>不知道哪些专家重要：请指定一个统计了专家的重要性矩阵，或一个专家列表</translation>
    </message>
    <message>
        <source>its values name experts by number, or belong to groups of them, and cannot be adapted</source>
        <translation>它的值按编号引用专家，或属于专家组，无法调整</translation>
    </message>
    <message>
        <source>its last dimension is %1, although the model has %2 experts</source>
        <translation>它的最后一维是 %1，而模型有 %2 个专家</translation>
    </message>
    <message>
        <source>line %1 is not of the form BLOCK: EXPERTS, such as 3: 0,2,5-7 (* means all other blocks)</source>
        <translation>第 %1 行不是“块编号: 专家编号”的形式，例如 3: 0,2,5-7（* 表示所有其他块）</translation>
    </message>
    <message>
        <source>it has no line for block %1</source>
        <translation>其中没有块 %1 的行</translation>
    </message>
    <message>
        <source>%1 has so few bits that it needs an importance matrix; quantise the model with one instead</source>
        <translation>%1 的位数太少，需要重要性矩阵；请改用重要性矩阵量化模型</translation>
    </message>
    <message>
        <source>no tensor would be moved, or none would be left</source>
        <translation>不会移动任何张量，或不会剩下任何张量</translation>
    </message>
    <message>
        <source>the model cannot do without %1: both files must be parts of one model, this one named …-00002-of-00002.gguf and the rest %2</source>
        <translation>模型不能没有 %1：两个文件必须是同一模型的分片，此文件名为 …-00002-of-00002.gguf，其余部分为 %2</translation>
    </message>
    <message>
        <source>the model is in several files already; merge them first</source>
        <translation>模型已由多个文件组成；请先合并它们</translation>
    </message>
    <message>
        <source>they belong to a projector, but the keys that describe it (clip.…) are not in the file</source>
        <translation>它们属于投影器，但文件中没有描述它的键（clip.…）</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no list of numbers and ranges, such as 3,7-9</source>
        <translation>“%1”不是数字和范围的列表，例如 3,7-9</translation>
    </message>
    <message>
        <source>the result would be invalid: %1</source>
        <translation>结果将无效：%1</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>magic number</source>
        <translation>魔数</translation>
    </message>
    <message>
        <source>version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>number of tensors</source>
        <translation>张量数量</translation>
    </message>
    <message>
        <source>number of keys</source>
        <translation>键数量</translation>
    </message>
    <message>
        <source>length of the key</source>
        <translation>键的长度</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>length of the value</source>
        <translation>值的长度</translation>
    </message>
    <message>
        <source>type of the value</source>
        <translation>值的类型</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>type of the elements</source>
        <translation>元素的类型</translation>
    </message>
    <message>
        <source>number of elements</source>
        <translation>元素数量</translation>
    </message>
    <message>
        <source>length of the element</source>
        <translation>元素的长度</translation>
    </message>
    <message>
        <source>element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>length of the name</source>
        <translation>名称的长度</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>number of dimensions</source>
        <translation>维度数量</translation>
    </message>
    <message>
        <source>dimension</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>number of weights</source>
        <translation>权重数量</translation>
    </message>
    <message>
        <source>type of the tensor</source>
        <translation>张量类型</translation>
    </message>
    <message>
        <source>offset of the data</source>
        <translation>数据的偏移</translation>
    </message>
    <message>
        <source>length of the header</source>
        <translation>文件头长度</translation>
    </message>
    <message>
        <source>member of the header</source>
        <translation>文件头的成员</translation>
    </message>
    <message>
        <source>syntax of the header</source>
        <translation>文件头的语法</translation>
    </message>
    <message>
        <source>hyper-parameter</source>
        <translation>超参数</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>record of the tensor</source>
        <translation>张量的记录</translation>
    </message>
    <message>
        <source>header of the archive&apos;s entry</source>
        <translation>归档条目的头部</translation>
    </message>
    <message>
        <source>bytes of the archive&apos;s entry</source>
        <translation>归档条目的字节</translation>
    </message>
    <message>
        <source>directory of the archive</source>
        <translation>归档的目录</translation>
    </message>
    <message>
        <source>opcode of the pickle</source>
        <translation>pickle 的操作码</translation>
    </message>
    <message>
        <source>field of the message</source>
        <translation>消息的字段</translation>
    </message>
    <message>
        <source>header of row</source>
        <translation>行头，行</translation>
    </message>
    <message>
        <source>number of the block from weight</source>
        <translation>分块编号，起始权重</translation>
    </message>
    <message>
        <source>packed bits of the block from weight</source>
        <translation>分块的打包位，起始权重</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>data of the tensor</source>
        <translation>张量数据</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>bytes without a meaning</source>
        <translation>没有含义的字节</translation>
    </message>
    <message>
        <source>damage: what follows cannot be told</source>
        <translation>损坏：无法得知其后的内容</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>A key has no name</source>
        <translation>有一个键没有名称</translation>
    </message>
    <message>
        <source>The name of this key is empty; runtimes refuse the file.</source>
        <translation>此键的名称为空；运行时会拒绝该文件。</translation>
    </message>
    <message>
        <source>Delete the key.</source>
        <translation>删除该键。</translation>
    </message>
    <message>
        <source>Two keys have the same name</source>
        <translation>有两个键同名</translation>
    </message>
    <message>
        <source>%1 occurs more than once; the first one counts here, and runtimes refuse the file.</source>
        <translation>%1 出现不止一次；此处以第一个为准，运行时会拒绝该文件。</translation>
    </message>
    <message>
        <source>Delete one of them.</source>
        <translation>删除其中一个。</translation>
    </message>
    <message>
        <source>The name of a key is too long</source>
        <translation>有一个键的名称过长</translation>
    </message>
    <message>
        <source>Its name takes %1 bytes; the specification allows 65,535.</source>
        <translation>它的名称占 %1 个字节；规范允许 65,535 个。</translation>
    </message>
    <message>
        <source>Rename the key.</source>
        <translation>重命名该键。</translation>
    </message>
    <message>
        <source>The name of a key is not text</source>
        <translation>有一个键的名称不是文本</translation>
    </message>
    <message>
        <source>The bytes of the name are not valid UTF-8.</source>
        <translation>名称的字节不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>Unusual key name</source>
        <translation>不寻常的键名</translation>
    </message>
    <message>
        <source>%1 does not consist of lower-case words joined by underscores and dots, as the specification requires.</source>
        <translation>%1 不是规范所要求的由下划线和点连接的小写单词。</translation>
    </message>
    <message>
        <source>Rename the key if nothing reads it by this name.</source>
        <translation>如果没有程序以此名称读取该键，请将其重命名。</translation>
    </message>
    <message>
        <source>A boolean is neither 0 nor 1</source>
        <translation>有一个布尔值既不是 0 也不是 1</translation>
    </message>
    <message>
        <source>The stored byte is %1; it is read as true.</source>
        <translation>存储的字节是 %1；读取为 true。</translation>
    </message>
    <message>
        <source>Set the value again.</source>
        <translation>重新设置该值。</translation>
    </message>
    <message>
        <source>The alignment has the wrong type</source>
        <translation>对齐的类型错误</translation>
    </message>
    <message>
        <source>general.alignment is of type %1 and must be u32; 32 is used.</source>
        <translation>general.alignment 的类型为 %1，应为 u32；此处使用 32。</translation>
    </message>
    <message>
        <source>Store it as u32.</source>
        <translation>将其存储为 u32。</translation>
    </message>
    <message>
        <source>The alignment is 0</source>
        <translation>对齐为 0</translation>
    </message>
    <message>
        <source>general.alignment must be a multiple of 8; 32 is used.</source>
        <translation>general.alignment 必须是 8 的倍数；此处使用 32。</translation>
    </message>
    <message>
        <source>Set general.alignment to 32.</source>
        <translation>将 general.alignment 设为 32。</translation>
    </message>
    <message>
        <source>The alignment is not a power of two</source>
        <translation>对齐不是 2 的幂</translation>
    </message>
    <message>
        <source>general.alignment is %1; common runtimes accept only powers of two.</source>
        <translation>general.alignment 为 %1；常见的运行时只接受 2 的幂。</translation>
    </message>
    <message>
        <source>Save with an alignment of 32.</source>
        <translation>以 32 字节对齐保存。</translation>
    </message>
    <message>
        <source>The alignment is not a multiple of 8</source>
        <translation>对齐不是 8 的倍数</translation>
    </message>
    <message>
        <source>general.alignment is %1; the specification asks for a multiple of 8.</source>
        <translation>general.alignment 为 %1；规范要求 8 的倍数。</translation>
    </message>
    <message>
        <source>The alignment is very large</source>
        <translation>对齐非常大</translation>
    </message>
    <message>
        <source>general.alignment is %1 bytes; most of the file may be padding.</source>
        <translation>general.alignment 为 %1 个字节；文件的大部分可能是填充。</translation>
    </message>
    <message>
        <source>A tensor has no name</source>
        <translation>有一个张量没有名称</translation>
    </message>
    <message>
        <source>The name of this tensor is empty; runtimes refuse the file.</source>
        <translation>此张量的名称为空；运行时会拒绝该文件。</translation>
    </message>
    <message>
        <source>Rename the tensor.</source>
        <translation>重命名该张量。</translation>
    </message>
    <message>
        <source>The name of a tensor is too long</source>
        <translation>有一个张量的名称过长</translation>
    </message>
    <message>
        <source>Its name takes %1 bytes; runtimes refuse 64 and more.</source>
        <translation>它的名称占 %1 个字节；运行时会拒绝 64 个及以上。</translation>
    </message>
    <message>
        <source>The name of a tensor is not text</source>
        <translation>有一个张量的名称不是文本</translation>
    </message>
    <message>
        <source>Two tensors have the same name</source>
        <translation>有两个张量同名</translation>
    </message>
    <message>
        <source>%1 occurs more than once; runtimes refuse the file.</source>
        <translation>%1 出现不止一次；运行时会拒绝该文件。</translation>
    </message>
    <message>
        <source>Rename or delete one of them.</source>
        <translation>重命名或删除其中一个。</translation>
    </message>
    <message>
        <source>More than four dimensions</source>
        <translation>超过四个维度</translation>
    </message>
    <message>
        <source>The tensor has %1 dimensions; runtimes support at most 4.</source>
        <translation>该张量有 %1 个维度；运行时最多支持 4 个。</translation>
    </message>
    <message>
        <source>The size of a tensor overflows</source>
        <translation>有一个张量的大小溢出</translation>
    </message>
    <message>
        <source>The shape %1 has more weights or bytes than 64 bits can count.</source>
        <translation>形状 %1 的权重数或字节数超出 64 位的计数范围。</translation>
    </message>
    <message>
        <source>The tensor list is damaged: fetch the file again.</source>
        <translation>张量列表已损坏：请重新获取文件。</translation>
    </message>
    <message>
        <source>Unknown tensor type</source>
        <translation>未知的张量类型</translation>
    </message>
    <message>
        <source>Type %1 is unknown; its bytes can be shown, but not its values.</source>
        <translation>类型 %1 未知；可以显示它的字节，但不能显示它的值。</translation>
    </message>
    <message>
        <source>A newer version of the program may know it.</source>
        <translation>更新版本的程序可能认识它。</translation>
    </message>
    <message>
        <source>A tensor type that runtimes no longer read</source>
        <translation>运行时不再读取的张量类型</translation>
    </message>
    <message>
        <source>%1 was removed from ggml.</source>
        <translation>%1 已从 ggml 中移除。</translation>
    </message>
    <message>
        <source>Quantise the model again, or use the runtime it was made for.</source>
        <translation>重新量化模型，或使用该模型所针对的运行时。</translation>
    </message>
    <message>
        <source>A tensor type with two meanings</source>
        <translation>有一个张量类型具有两种含义</translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors (%4 is the first) have type %2, which is %3 in ggml, but their sizes are not those of %3: another program uses the number for a type of its own. Their bytes are shown and kept, but not their values.</source>
        <translation>
            <numerusform>有 %1 个张量（第一个是 %4）的类型为 %2，在 ggml 中即 %3，但它们的大小与 %3 不符：另有程序将此编号用于自己的类型。会显示并保留它们的字节，但不显示它们的值。</numerusform>
        </translation>
    </message>
    <message>
        <source>Run the file with the program it was made for.</source>
        <translation>请用该文件所针对的程序运行它。</translation>
    </message>
    <message>
        <source>A tensor type of ik_llama.cpp</source>
        <translation>ik_llama.cpp 的张量类型</translation>
    </message>
    <message>
        <source>Type %2 is %1 in ik_llama.cpp; other runtimes refuse it, and forks use the same number for other types.</source>
        <translation>类型 %2 在 ik_llama.cpp 中是 %1；其他运行时会拒绝它，而各衍生版本用同一编号表示其他类型。</translation>
    </message>
    <message>
        <source>A row is not a whole number of blocks</source>
        <translation>有一行不是整数个分块</translation>
    </message>
    <message numerus="yes">
        <source>A row of %1 weights cannot be stored as %3, whose blocks hold %2.</source>
        <translation>
            <numerusform>一行 %1 个权重无法以 %3 存储，因为其分块含 %2 个权重。</numerusform>
        </translation>
    </message>
    <message>
        <source>A tensor is not aligned</source>
        <translation>有一个张量未对齐</translation>
    </message>
    <message>
        <source>Its offset %1 is not a multiple of the alignment %2; runtimes refuse the file.</source>
        <translation>它的偏移 %1 不是对齐 %2 的倍数；运行时会拒绝该文件。</translation>
    </message>
    <message>
        <source>Save it as a new file, whose offsets are packed and aligned.</source>
        <translation>保存为新文件，使偏移紧密排列并对齐。</translation>
    </message>
    <message>
        <source>Tensors are not packed</source>
        <translation>张量未紧密排列</translation>
    </message>
    <message>
        <source>This tensor starts at offset %1, where runtimes expect %2.</source>
        <translation>此张量从偏移 %1 开始，而运行时期望的是 %2。</translation>
    </message>
    <message>
        <source>Save it as a new file, whose offsets are packed.</source>
        <translation>保存为新文件，使偏移紧密排列。</translation>
    </message>
    <message>
        <source>Tensors overlap</source>
        <translation>张量互相重叠</translation>
    </message>
    <message>
        <source>Its bytes overlap those of %1.</source>
        <translation>它的字节与 %1 的字节重叠。</translation>
    </message>
    <message>
        <source>A tensor is cut off</source>
        <translation>有一个张量被截断</translation>
    </message>
    <message numerus="yes">
        <source>The last %1 bytes of its data lie past the end of the file.</source>
        <translation>
            <numerusform>它的数据的最后 %1 个字节超出文件末尾。</numerusform>
        </translation>
    </message>
    <message>
        <source>The download or copy is incomplete: fetch it again.</source>
        <translation>下载或复制不完整：请重新获取。</translation>
    </message>
    <message>
        <source>Tensor data is missing</source>
        <translation>缺少张量数据</translation>
    </message>
    <message numerus="yes">
        <source>The file ends too early: %1 tensors lack %2 bytes in all.</source>
        <translation>
            <numerusform>文件过早结束：%1 个张量共缺少 %2 个字节。</numerusform>
        </translation>
    </message>
    <message>
        <source>Bytes after the last tensor</source>
        <translation>最后一个张量之后还有字节</translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes follow the end of the tensor data and belong to nothing.</source>
        <translation>
            <numerusform>张量数据结束之后还有 %1 个字节，它们不属于任何内容。</numerusform>
        </translation>
    </message>
    <message>
        <source>Drop them.</source>
        <translation>丢弃它们。</translation>
    </message>
    <message>
        <source>Padding is not zero</source>
        <translation>填充不为零</translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes between header and tensors are not zero.</source>
        <translation>
            <numerusform>文件头与张量之间有 %1 个字节不为零。</numerusform>
        </translation>
    </message>
    <message>
        <source>Save it as a new file to clear them.</source>
        <translation>保存为新文件，即可将其清除。</translation>
    </message>
    <message>
        <source>A draft of GGUF</source>
        <translation>GGUF 的草案</translation>
    </message>
    <message>
        <source>The file follows a draft of version 1 that no runtime reads.</source>
        <translation>该文件遵循版本 1 的一份草案，没有运行时能读取它。</translation>
    </message>
    <message>
        <source>Convert it to version 3.</source>
        <translation>转换为版本 3。</translation>
    </message>
    <message>
        <source>A value type newer than the file</source>
        <translation>值的类型比文件版本更新</translation>
    </message>
    <message>
        <source>Type %1 was added after version %2; readers of that version stop here.</source>
        <translation>类型 %1 在版本 %2 之后才加入；该版本的读取程序会在此停止。</translation>
    </message>
    <message>
        <source>Convert the file to version 3.</source>
        <translation>将文件转换为版本 3。</translation>
    </message>
    <message>
        <source>A dimension is negative</source>
        <translation>有一个维度为负数</translation>
    </message>
    <message>
        <source>The shape %1 contains a number beyond 2^63, which runtimes read as negative.</source>
        <translation>形状 %1 中有超过 2^63 的数，运行时会将其读作负数。</translation>
    </message>
    <message>
        <source>The size of a tensor is a guess</source>
        <translation>有一个张量的大小是推测的</translation>
    </message>
    <message numerus="yes">
        <source>Its type does not determine its size; the %1 bytes up to the next tensor are shown.</source>
        <translation>
            <numerusform>它的类型无法决定其大小；显示的是到下一个张量为止的 %1 个字节。</numerusform>
        </translation>
    </message>
    <message>
        <source>The last tensor is not padded</source>
        <translation>最后一个张量没有填充</translation>
    </message>
    <message numerus="yes">
        <source>The file ends %1 bytes before the next multiple of the alignment; some runtimes refuse it.</source>
        <translation>
            <numerusform>文件在距下一个对齐倍数 %1 个字节处结束；有些运行时会拒绝它。</numerusform>
        </translation>
    </message>
    <message>
        <source>Save it as a new file.</source>
        <translation>保存为新文件。</translation>
    </message>
    <message>
        <source>Big-endian before version 3</source>
        <translation>版本 3 之前的大端文件</translation>
    </message>
    <message>
        <source>Version %1 supports only little-endian files; runtimes refuse this one.</source>
        <translation>版本 %1 只支持小端文件；运行时会拒绝此文件。</translation>
    </message>
    <message>
        <source>The family of the model was recognised by its layout</source>
        <translation>模型的系列是根据布局识别的</translation>
    </message>
    <message>
        <source>The file does not name its family; it has the layout of %1 models.</source>
        <translation>文件没有说明其系列；它的布局属于 %1 模型。</translation>
    </message>
    <message>
        <source>The list of tensors is damaged</source>
        <translation>张量列表已损坏</translation>
    </message>
    <message numerus="yes">
        <source>What follows the last tensor is not a tensor; the remaining %1 bytes are not shown.</source>
        <translation>
            <numerusform>最后一个张量之后的内容不是张量；不显示剩余的 %1 个字节。</numerusform>
        </translation>
    </message>
    <message>
        <source>The download or copy is damaged: fetch it again.</source>
        <translation>下载或复制已损坏：请重新获取。</translation>
    </message>
    <message>
        <source>The file would run code</source>
        <translation>该文件会运行代码</translation>
    </message>
    <message>
        <source>Python would call %1 when it loads this file, which can run programs or change files. Gufo calls nothing.</source>
        <translation>Python 加载此文件时会调用 %1，它可以运行程序或更改文件。Gufo 不会调用任何代码。</translation>
    </message>
    <message>
        <source>Do not load the file with Python unless you trust its author.</source>
        <translation>除非信任其作者，否则不要用 Python 加载此文件。</translation>
    </message>
    <message>
        <source>The file refers to unknown code</source>
        <translation>该文件引用了未知代码</translation>
    </message>
    <message>
        <source>Python would import %1 when it loads this file. Gufo imports nothing.</source>
        <translation>Python 加载此文件时会导入 %1。Gufo 不会导入任何代码。</translation>
    </message>
    <message>
        <source>Load the file with Python only if you know what this is.</source>
        <translation>只有清楚这是什么，才可以用 Python 加载此文件。</translation>
    </message>
    <message>
        <source>The data of a tensor is missing</source>
        <translation>缺少一个张量的数据</translation>
    </message>
    <message>
        <source>The file does not contain the storage %1, or it is damaged.</source>
        <translation>文件不含存储块 %1，或存储块已损坏。</translation>
    </message>
    <message>
        <source>The file is incomplete: fetch it again.</source>
        <translation>文件不完整：请重新获取。</translation>
    </message>
    <message>
        <source>A tensor reaches outside of its storage</source>
        <translation>有一个张量超出其存储块</translation>
    </message>
    <message numerus="yes">
        <source>It ends after %1 bytes of a storage of %2 bytes.</source>
        <translation>
            <numerusform>它的结尾在存储块的 %1 个字节之后，而存储块只有 %2 个字节。</numerusform>
        </translation>
    </message>
    <message>
        <source>The file is damaged: fetch it again.</source>
        <translation>文件已损坏：请重新获取。</translation>
    </message>
    <message>
        <source>The file contains no tensors</source>
        <translation>文件不含张量</translation>
    </message>
    <message>
        <source>It consists of %1, without any tensor.</source>
        <translation>它由 %1 组成，没有任何张量。</translation>
    </message>
    <message>
        <source>It is not a model: look for the file with the weights.</source>
        <translation>它不是模型：请寻找含有权重的文件。</translation>
    </message>
    <message>
        <source>A tensor repeats its numbers</source>
        <translation>有一个张量重复使用其数值</translation>
    </message>
    <message>
        <source>Of its %1 weights, the file stores %2 and repeats them; its values are not read.</source>
        <translation>在它的 %1 个权重中，文件存储了 %2 个，其余为重复；不读取它的值。</translation>
    </message>
    <message>
        <source>A tensor is not described as usual</source>
        <translation>有一个张量的描述不同寻常</translation>
    </message>
    <message>
        <source>%1 is not shown, because its type, shape or strides cannot be read.</source>
        <translation>没有显示 %1，因为无法读取它的类型、形状或步长。</translation>
    </message>
    <message>
        <source>The file has too many nested values</source>
        <translation>文件的嵌套值过多</translation>
    </message>
    <message>
        <source>Values that are nested very deeply, contain themselves or are too many are not shown.</source>
        <translation>嵌套过深、包含自身或数量过多的值不会显示。</translation>
    </message>
    <message>
        <source>Further findings are not listed</source>
        <translation>没有列出更多问题</translation>
    </message>
    <message numerus="yes">
        <source>%1 further findings of the kind %2 are not listed.</source>
        <translation>
            <numerusform>另有 %1 个“%2”类的问题没有列出。</numerusform>
        </translation>
    </message>
    <message>
        <source>A shard is missing</source>
        <translation>缺少一个分片</translation>
    </message>
    <message>
        <source>%1, part %2 of %3, is not in the folder; its tensors are not shown.</source>
        <translation>文件夹中没有 %1（%3 个分片中的第 %2 个）；不显示它的张量。</translation>
    </message>
    <message>
        <source>Put all parts into one folder and open the model again.</source>
        <translation>将所有分片放入同一文件夹，然后重新打开模型。</translation>
    </message>
    <message>
        <source>A shard cannot be read</source>
        <translation>有一个分片无法读取</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Fetch this part again.</source>
        <translation>重新获取此分片。</translation>
    </message>
    <message>
        <source>A shard does not belong to the others</source>
        <translation>有一个分片与其他分片不属于一组</translation>
    </message>
    <message>
        <source>%1: %2 is %4 and should be %3.</source>
        <translation>%1：%2 为 %4，应为 %3。</translation>
    </message>
    <message>
        <source>Fetch all parts from the same place.</source>
        <translation>从同一来源获取所有分片。</translation>
    </message>
    <message>
        <source>Shards disagree about a key</source>
        <translation>各分片对某个键的说法不一</translation>
    </message>
    <message>
        <source>%1 is &quot;%3&quot; in %2 and &quot;%5&quot; in %4. The first is shown.</source>
        <translation>%1 在 %2 中为“%3”，在 %4 中为“%5”。显示的是第一个。</translation>
    </message>
    <message>
        <source>Fetch all parts from the same place, or give the key a new value, which every part that has it gets.</source>
        <translation>从同一来源获取所有分片，或给该键设置新值；凡有此键的分片都会得到该值。</translation>
    </message>
    <message>
        <source>A shard is of another model</source>
        <translation>有一个分片属于另一个模型</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>A shard under another name</source>
        <translation>有一个分片使用了其他名称</translation>
    </message>
    <message>
        <source>%1 is part %3 of %2, but its name does not say so; the other parts cannot be found.</source>
        <translation>%1 是 %2 个分片中的第 %3 个，但其名称没有说明这一点；找不到其他分片。</translation>
    </message>
    <message>
        <source>Give all parts their names back, such as model-00001-of-00003.gguf.</source>
        <translation>恢复所有分片原来的名称，例如 model-00001-of-00003.gguf。</translation>
    </message>
    <message>
        <source>Tensors are missing from the set</source>
        <translation>分片组缺少张量</translation>
    </message>
    <message numerus="yes">
        <source>The parts hold %2 of the %1 tensors that are announced.</source>
        <translation>
            <numerusform>声明了 %1 个张量，而各分片共含有 %2 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>Fetch the missing parts again.</source>
        <translation>重新获取缺少的分片。</translation>
    </message>
    <message>
        <source>The files contain slices of the same tensors</source>
        <translation>这些文件含有相同张量的切片</translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors are slices of tensors of the first file; each of the %2 files has a part of their rows or columns.</source>
        <translation>
            <numerusform>有 %1 个张量是第一个文件中张量的切片；%2 个文件各有其行或列的一部分。</numerusform>
        </translation>
    </message>
    <message>
        <source>A listed tensor is missing</source>
        <translation>缺少一个列出的张量</translation>
    </message>
    <message>
        <source>The list of shards says that %1 is in %2, but it is not.</source>
        <translation>分片列表写明 %1 在 %2 中，但它不在其中。</translation>
    </message>
    <message>
        <source>Fetch the list and the shards again, from the same version of the model.</source>
        <translation>从模型的同一版本重新获取列表和分片。</translation>
    </message>
    <message>
        <source>A tensor is listed twice</source>
        <translation>有一个张量列出了两次</translation>
    </message>
    <message>
        <source>The list of shards contains %1 more than once.</source>
        <translation>分片列表中 %1 不止一次出现。</translation>
    </message>
    <message>
        <source>Fetch the list again.</source>
        <translation>重新获取列表。</translation>
    </message>
    <message>
        <source>Tensors are not listed</source>
        <translation>有张量没有列出</translation>
    </message>
    <message numerus="yes">
        <source>%1 tensors of the shards are not in the list of shards; other programs would not load them.</source>
        <translation>
            <numerusform>分片中有 %1 个张量不在分片列表中；其他程序不会加载它们。</numerusform>
        </translation>
    </message>
    <message>
        <source>A listed file is outside of the folder</source>
        <translation>有一个列出的文件在文件夹之外</translation>
    </message>
    <message>
        <source>The list of shards names %1, which is not a file in its folder. It was not opened.</source>
        <translation>分片列表中列出了 %1，但它不是同一文件夹中的文件。没有打开它。</translation>
    </message>
    <message>
        <source>Do not use this model unless you trust its source.</source>
        <translation>除非信任其来源，否则不要使用此模型。</translation>
    </message>
    <message>
        <source>A file beside the model cannot be read</source>
        <translation>模型旁的一个文件无法读取</translation>
    </message>
    <message>
        <source>Fetch the file again.</source>
        <translation>重新获取文件。</translation>
    </message>
    <message>
        <source>The folder has weights that were not used</source>
        <translation>文件夹中有未使用的权重</translation>
    </message>
    <message>
        <source>The weights are those of %1; ignored: %2.</source>
        <translation>使用的是 %1 的权重；忽略了：%2。</translation>
    </message>
    <message>
        <source>Open an ignored file by itself if you meant that one.</source>
        <translation>如果需要的是被忽略的文件，请单独打开它。</translation>
    </message>
    <message>
        <source>Only one file of the folder was opened</source>
        <translation>只打开了文件夹中的一个文件</translation>
    </message>
    <message numerus="yes">
        <source>%1 was opened. %2 subfolders contain models, too, such as %3.</source>
        <translation>
            <numerusform>打开了 %1。另有 %2 个子文件夹也含有模型，例如 %3。</numerusform>
        </translation>
    </message>
    <message>
        <source>Open a subfolder by itself if you meant the model in it.</source>
        <translation>如果需要的是子文件夹中的模型，请单独打开该子文件夹。</translation>
    </message>
    <message>
        <source>A special token does not exist</source>
        <translation>有一个特殊词元不存在</translation>
    </message>
    <message>
        <source>The value is %1, but ids go from 0 to below %2; the model is treated as having no such token.</source>
        <translation>该值为 %1，但 ID 从 0 起且小于 %2；模型按没有此词元处理。</translation>
    </message>
    <message>
        <source>Set the id of a token that exists, or delete the key.</source>
        <translation>设为存在的词元的 ID，或删除该键。</translation>
    </message>
    <message>
        <source>Unknown pre-tokenizer</source>
        <translation>未知的预分词器</translation>
    </message>
    <message>
        <source>The pre-tokenizer %1 is unknown; the default rule is used, and token ids may differ from those the model was trained with.</source>
        <translation>预分词器 %1 未知；使用默认规则，词元 ID 可能与模型训练时不同。</translation>
    </message>
    <message>
        <source>No pre-tokenizer is named</source>
        <translation>没有指明预分词器</translation>
    </message>
    <message>
        <source>The default rule is used, and token ids may differ from those the model was trained with.</source>
        <translation>使用默认规则，词元 ID 可能与模型训练时不同。</translation>
    </message>
    <message>
        <source>Convert the model again, or add the key if you know its value.</source>
        <translation>重新转换模型；如果知道该键的值，也可以添加它。</translation>
    </message>
    <message>
        <source>The vocabulary was extended</source>
        <translation>词表已被扩展</translation>
    </message>
    <message numerus="yes">
        <source>The tokenizer has %1 tokens, but the model has %2 rows for them. The others became unused tokens.</source>
        <translation>
            <numerusform>分词器有 %1 个词元，而模型为词元准备了 %2 行。其余的成为未使用的词元。</numerusform>
        </translation>
    </message>
    <message>
        <source>The vocabulary was cut</source>
        <translation>词表已被截短</translation>
    </message>
    <message numerus="yes">
        <source>The tokenizer has %1 tokens, but the model has only %2 rows for them. The last tokens were left out.</source>
        <translation>
            <numerusform>分词器有 %1 个词元，而模型只为词元准备了 %2 行。最后的词元被略去。</numerusform>
        </translation>
    </message>
    <message>
        <source>Check that the tokenizer belongs to the model.</source>
        <translation>请确认分词器属于该模型。</translation>
    </message>
    <message>
        <source>An added token was left out</source>
        <translation>有一个附加词元被略去</translation>
    </message>
    <message>
        <source>The model has rows for %2 tokens only, so there is none for %1.</source>
        <translation>模型只有对应 %2 个词元的行，因此没有 %1 的行。</translation>
    </message>
    <message>
        <source>An added token replaces another one</source>
        <translation>有一个附加词元替换了另一个词元</translation>
    </message>
    <message>
        <source>The tokenizer has %1 at this id, and its configuration has %2, which was used.</source>
        <translation>分词器在此 ID 处为 %1，其配置中为 %2，采用了后者。</translation>
    </message>
    <message>
        <source>The pre-tokenizer has no exact equivalent</source>
        <translation>预分词器没有完全对应的规则</translation>
    </message>
    <message numerus="yes">
        <source>The rule %1 is the nearest one that runtimes know; it splits %2 of the %3 words of a check text differently.</source>
        <translation>
            <numerusform>规则 %1 是运行时已知规则中最接近的；检验文本的 %3 个词中，它对 %2 个的拆分不同。</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare token ids with those of the original tokenizer.</source>
        <translation>请与原始分词器比较词元 ID。</translation>
    </message>
    <message>
        <source>The pre-tokenizer could not be verified</source>
        <translation>预分词器无法验证</translation>
    </message>
    <message>
        <source>Its regular expressions cannot be evaluated here; the rule %1 is used.</source>
        <translation>此处无法计算它的正则表达式；使用规则 %1。</translation>
    </message>
    <message>
        <source>A required key is missing</source>
        <translation>缺少必需的键</translation>
    </message>
    <message>
        <source>The file has no %1; runtimes refuse it.</source>
        <translation>文件没有 %1；运行时会拒绝该文件。</translation>
    </message>
    <message>
        <source>Add the key with the value of the original model.</source>
        <translation>添加该键，并使用原始模型的值。</translation>
    </message>
    <message>
        <source>A standard key is missing</source>
        <translation>缺少标准的键</translation>
    </message>
    <message>
        <source>The specification requires %1 for models of the architecture %2; runtimes use a default instead.</source>
        <translation>规范要求架构 %2 的模型带有 %1；运行时会改用默认值。</translation>
    </message>
    <message>
        <source>Add the key if the original model has another value.</source>
        <translation>如果原始模型的值不同，请添加该键。</translation>
    </message>
    <message>
        <source>A value has the wrong type</source>
        <translation>有一个值的类型错误</translation>
    </message>
    <message>
        <source>Its type is %2 and should be %1; runtimes refuse the file.</source>
        <translation>它的类型是 %2，应为 %1；运行时会拒绝该文件。</translation>
    </message>
    <message>
        <source>Change the type of the value.</source>
        <translation>更改值的类型。</translation>
    </message>
    <message>
        <source>A value has an unusual type</source>
        <translation>有一个值的类型不寻常</translation>
    </message>
    <message>
        <source>Its type is %2; the specification requires %1.</source>
        <translation>它的类型是 %2；规范要求 %1。</translation>
    </message>
    <message>
        <source>An older name of a key</source>
        <translation>键的旧名称</translation>
    </message>
    <message>
        <source>%1 is written as %2 today; newer programs may not read the older name.</source>
        <translation>%1 如今写作 %2；较新的程序可能不读取旧名称。</translation>
    </message>
    <message>
        <source>Unknown architecture</source>
        <translation>未知的架构</translation>
    </message>
    <message>
        <source>%1 is not in the catalogue, so the requirements of its models cannot be checked.</source>
        <translation>%1 不在目录中，因此无法检查对此类模型的要求。</translation>
    </message>
    <message>
        <source>An unknown value</source>
        <translation>未知的值</translation>
    </message>
    <message>
        <source>%1 is not a known value of this key.</source>
        <translation>%1 不是此键的已知值。</translation>
    </message>
    <message>
        <source>No model has this value</source>
        <translation>没有模型具有此值</translation>
    </message>
    <message>
        <source>The value is %1; it must be %2.</source>
        <translation>该值为 %1；必须是 %2。</translation>
    </message>
    <message>
        <source>Set it to the value of the original model.</source>
        <translation>设为原始模型的值。</translation>
    </message>
    <message>
        <source>A value does not fit the others</source>
        <translation>有一个值与其他值不相容</translation>
    </message>
    <message>
        <source>No model can be run with the value %1 beside the other values.</source>
        <translation>值 %1 与其他值组合时，无法运行任何模型。</translation>
    </message>
    <message>
        <source>Heads cannot be grouped</source>
        <translation>注意力头无法分组</translation>
    </message>
    <message numerus="yes">
        <source>%1 query heads cannot share %2 key and value heads evenly.</source>
        <translation>
            <numerusform>%1 个查询头无法平均共享 %2 个键值头。</numerusform>
        </translation>
    </message>
    <message>
        <source>Set both to the values of the original model.</source>
        <translation>将两者都设为原始模型的值。</translation>
    </message>
    <message>
        <source>The width cannot be split into heads</source>
        <translation>宽度无法划分为头</translation>
    </message>
    <message>
        <source>A width of %1 is not a multiple of %2 heads, and no head length is given.</source>
        <translation>宽度 %1 不是 %2 个头的整数倍，也没有给出头的长度。</translation>
    </message>
    <message>
        <source>Rotary dimensions do not fit</source>
        <translation>旋转维度不符</translation>
    </message>
    <message numerus="yes">
        <source>%1 dimensions cannot be rotated in pairs in a head of %2.</source>
        <translation>
            <numerusform>%2 维的头中，无法将 %1 个维度成对旋转。</numerusform>
        </translation>
    </message>
    <message>
        <source>Set rope.dimension_count to the value of the original model.</source>
        <translation>将 rope.dimension_count 设为原始模型的值。</translation>
    </message>
    <message>
        <source>Numbers of experts do not fit</source>
        <translation>专家数量不符</translation>
    </message>
    <message numerus="yes">
        <source>%1 experts are used of %2.</source>
        <translation>
            <numerusform>共有 %2 个专家，却使用 %1 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>An array does not match the blocks</source>
        <translation>有一个数组与块不符</translation>
    </message>
    <message numerus="yes">
        <source>It has %1 values for %2 blocks.</source>
        <translation>
            <numerusform>它有 %1 个值，而块有 %2 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>Give it one value for each block.</source>
        <translation>为每个块各给出一个值。</translation>
    </message>
    <message>
        <source>A number is not finite</source>
        <translation>有一个数不是有限值</translation>
    </message>
    <message>
        <source>%1 is infinite or not a number.</source>
        <translation>%1 是无穷大或不是数字。</translation>
    </message>
    <message>
        <source>The quantisation version is missing</source>
        <translation>缺少量化版本</translation>
    </message>
    <message>
        <source>Files with quantised tensors must have the key general.quantization_version.</source>
        <translation>含有量化张量的文件必须带有键 general.quantization_version。</translation>
    </message>
    <message>
        <source>Add general.quantization_version with the value 2.</source>
        <translation>添加 general.quantization_version，值为 2。</translation>
    </message>
    <message>
        <source>The file type contradicts the tensors</source>
        <translation>文件类型与张量矛盾</translation>
    </message>
    <message>
        <source>general.file_type says %1, but %3 of the weights are %2.</source>
        <translation>general.file_type 为 %1，但 %3 的权重是 %2。</translation>
    </message>
    <message>
        <source>Set general.file_type to the type of the tensors.</source>
        <translation>将 general.file_type 设为张量的类型。</translation>
    </message>
    <message>
        <source>A file type that runtimes no longer read</source>
        <translation>运行时不再读取的文件类型</translation>
    </message>
    <message>
        <source>The file type %1 was removed.</source>
        <translation>文件类型 %1 已被移除。</translation>
    </message>
    <message>
        <source>Tensor names outside the convention</source>
        <translation>不合惯例的张量名称</translation>
    </message>
    <message numerus="yes">
        <source>The names of %1 tensors are not known, this one among them.</source>
        <translation>
            <numerusform>有 %1 个张量的名称未知，此张量是其中之一。</numerusform>
        </translation>
    </message>
    <message>
        <source>The token embedding is missing</source>
        <translation>缺少词元嵌入</translation>
    </message>
    <message>
        <source>No tensor is named token_embd.weight; the model cannot be run.</source>
        <translation>没有名为 token_embd.weight 的张量；模型无法运行。</translation>
    </message>
    <message>
        <source>The shape of a tensor does not fit</source>
        <translation>有一个张量的形状不符</translation>
    </message>
    <message>
        <source>Dimension %1 is %3; by the hyper-parameters it should be %2.</source>
        <translation>维度 %1 为 %3；按超参数应为 %2。</translation>
    </message>
    <message>
        <source>A key or the tensor is wrong: compare with the original model.</source>
        <translation>某个键或该张量有误：请与原始模型比较。</translation>
    </message>
    <message>
        <source>Tensors are missing</source>
        <translation>缺少张量</translation>
    </message>
    <message>
        <source>The file lacks what every %2 model has: %1. Engines refuse it.</source>
        <translation>文件缺少所有 %2 模型都有的张量：%1。引擎会拒绝它。</translation>
    </message>
    <message>
        <source>The file is incomplete, or its tensors have other names: convert or fetch it again.</source>
        <translation>文件不完整，或其张量使用了其他名称：请重新转换或获取。</translation>
    </message>
    <message>
        <source>Tensors that the architecture does not have</source>
        <translation>有该架构所没有的张量</translation>
    </message>
    <message>
        <source>No %2 model has these: %1. Engines refuse the file.</source>
        <translation>没有 %2 模型含有这些张量：%1。引擎会拒绝该文件。</translation>
    </message>
    <message>
        <source>Give them the names that the architecture expects, or delete them.</source>
        <translation>改为该架构所期望的名称，或将它们删除。</translation>
    </message>
    <message>
        <source>Embedding and vocabulary differ</source>
        <translation>嵌入与词表不一致</translation>
    </message>
    <message numerus="yes">
        <source>The tensor has rows for %1 tokens, the vocabulary has %2.</source>
        <translation>
            <numerusform>张量有对应 %1 个词元的行，词表有 %2 个词元。</numerusform>
        </translation>
    </message>
    <message>
        <source>Convert the model again with its own tokenizer.</source>
        <translation>使用模型自己的分词器重新转换。</translation>
    </message>
    <message>
        <source>The vocabulary has another size</source>
        <translation>词表的大小不同</translation>
    </message>
    <message>
        <source>vocab_size is %1, but the number of tokens in the vocabulary is %2.</source>
        <translation>vocab_size 为 %1，但词表中的词元数量为 %2。</translation>
    </message>
    <message>
        <source>Set vocab_size to the number of tokens.</source>
        <translation>将 vocab_size 设为词元数量。</translation>
    </message>
    <message>
        <source>A tensor lacks its partner</source>
        <translation>有一个张量缺少配对的张量</translation>
    </message>
    <message>
        <source>%1 is missing; neither can be used without the other.</source>
        <translation>缺少 %1；两者必须同时存在才能使用。</translation>
    </message>
    <message>
        <source>The file is incomplete: convert or fetch it again.</source>
        <translation>文件不完整：请重新转换或获取。</translation>
    </message>
    <message>
        <source>Blocks are missing</source>
        <translation>缺少块</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %3 blocks have no tensors; the first is block %2.</source>
        <translation>
            <numerusform>%3 个块中有 %1 个没有张量；第一个是块 %2。</numerusform>
        </translation>
    </message>
    <message>
        <source>More blocks than announced</source>
        <translation>块多于声明的数量</translation>
    </message>
    <message>
        <source>Tensors reach block %1, but the number of blocks is %2; the others are not used.</source>
        <translation>张量一直到块 %1，但块的数量为 %2；其余的块不会使用。</translation>
    </message>
    <message>
        <source>Set block_count to the number of blocks.</source>
        <translation>将 block_count 设为块的数量。</translation>
    </message>
    <message>
        <source>A block is incomplete</source>
        <translation>有一个块不完整</translation>
    </message>
    <message>
        <source>%1 lacks tensors that the other blocks have (%3): %2.</source>
        <translation>%1 缺少其他块都有的张量（%3 个）：%2。</translation>
    </message>
    <message>
        <source>Weights are not finite</source>
        <translation>有权重不是有限值</translation>
    </message>
    <message numerus="yes">
        <source>%1 weights are not numbers and %2 are infinite; the first is weight %3.</source>
        <translation>
            <numerusform>有 %1 个权重不是数字，%2 个为无穷大；第一个是权重 %3。</numerusform>
        </translation>
    </message>
    <message>
        <source>The data is damaged: fetch the file again, or quantise it again from a sound one.</source>
        <translation>数据已损坏：请重新获取文件，或用完好的文件重新量化。</translation>
    </message>
    <message>
        <source>All weights are zero</source>
        <translation>所有权重均为零</translation>
    </message>
    <message>
        <source>Every weight of this tensor is zero.</source>
        <translation>此张量的每个权重都为零。</translation>
    </message>
    <message>
        <source>If the original is not zero, the download has a hole: fetch the file again.</source>
        <translation>如果原始模型中不为零，说明下载有缺漏：请重新获取文件。</translation>
    </message>
    <message>
        <source>Some weights were not checked</source>
        <translation>部分权重没有检查</translation>
    </message>
    <message numerus="yes">
        <source>The values of %1 tensors cannot be read.</source>
        <translation>
            <numerusform>有 %1 个张量的值无法读取。</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no tokenizer</source>
        <translation>没有分词器</translation>
    </message>
    <message>
        <source>The file has no vocabulary; it cannot be used for text.</source>
        <translation>文件没有词表；无法用于文本。</translation>
    </message>
    <message>
        <source>Convert the model again with its tokenizer.</source>
        <translation>连同分词器重新转换模型。</translation>
    </message>
    <message>
        <source>Unknown tokenizer</source>
        <translation>未知的分词器</translation>
    </message>
    <message>
        <source>%1 is not a known tokenizer.</source>
        <translation>%1 不是已知的分词器。</translation>
    </message>
    <message>
        <source>The tokens are missing</source>
        <translation>缺少词元</translation>
    </message>
    <message>
        <source>The file names a tokenizer but has no list of tokens.</source>
        <translation>文件指明了分词器，但没有词元列表。</translation>
    </message>
    <message>
        <source>The vocabulary is huge</source>
        <translation>词表非常大</translation>
    </message>
    <message>
        <source>It has %1 tokens; they were not checked.</source>
        <translation>它有 %1 个词元；没有检查这些词元。</translation>
    </message>
    <message>
        <source>The merges are missing</source>
        <translation>缺少合并规则</translation>
    </message>
    <message>
        <source>This kind of tokenizer needs tokenizer.ggml.merges; runtimes refuse the file.</source>
        <translation>此类分词器需要 tokenizer.ggml.merges；运行时会拒绝该文件。</translation>
    </message>
    <message>
        <source>Merges of unknown tokens</source>
        <translation>合并规则含有未知词元</translation>
    </message>
    <message numerus="yes">
        <source>%1 merges name tokens that the vocabulary lacks; the first is %2.</source>
        <translation>
            <numerusform>有 %1 条合并规则使用了词表中没有的词元；第一个是 %2。</numerusform>
        </translation>
    </message>
    <message>
        <source>Lists of tokens differ in length</source>
        <translation>词元列表的长度不一</translation>
    </message>
    <message numerus="yes">
        <source>%1 has %2 elements for %3 tokens.</source>
        <translation>
            <numerusform>%1 有 %2 个元素，而词元有 %3 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>A special token has the type of text</source>
        <translation>有一个特殊词元的类型是文本</translation>
    </message>
    <message>
        <source>Token %1, %2, has the type NORMAL; runtimes may print it or not stop at it.</source>
        <translation>词元 %1（%2）的类型为 NORMAL；运行时可能会输出它，或不在它处停止。</translation>
    </message>
    <message>
        <source>Set its type to CONTROL.</source>
        <translation>将其类型设为 CONTROL。</translation>
    </message>
    <message>
        <source>Padding ends the text</source>
        <translation>填充词元会结束文本</translation>
    </message>
    <message>
        <source>Padding and end of text are the same token, %1.</source>
        <translation>填充与文本结尾是同一个词元 %1。</translation>
    </message>
    <message>
        <source>This is common for models trained without padding; fine-tuning should use another token.</source>
        <translation>这对于训练时不用填充的模型很常见；微调时应使用其他词元。</translation>
    </message>
    <message>
        <source>Tokens are not text</source>
        <translation>有词元不是文本</translation>
    </message>
    <message numerus="yes">
        <source>The bytes of %1 tokens are not valid UTF-8; this is the first.</source>
        <translation>
            <numerusform>有 %1 个词元的字节不是有效的 UTF-8；这是第一个。</numerusform>
        </translation>
    </message>
    <message>
        <source>A token occurs twice</source>
        <translation>有一个词元出现两次</translation>
    </message>
    <message>
        <source>%1 is also token %2; text is always read as one of them.</source>
        <translation>%1 也是词元 %2；文本总是被读作其中同一个。</translation>
    </message>
    <message>
        <source>Rename the unused one.</source>
        <translation>重命名未使用的那个。</translation>
    </message>
    <message>
        <source>Unknown token type</source>
        <translation>未知的词元类型</translation>
    </message>
    <message>
        <source>%1 is not a token type.</source>
        <translation>%1 不是词元类型。</translation>
    </message>
    <message>
        <source>Set its type to NORMAL, or to BYTE for a token such as &lt;0x0A&gt;.</source>
        <translation>将其类型设为 NORMAL，如果是 &lt;0x0A&gt; 之类的词元则设为 BYTE。</translation>
    </message>
    <message>
        <source>Control tokens have the type of text</source>
        <translation>控制词元的类型是文本</translation>
    </message>
    <message numerus="yes">
        <source>%1 tokens look like control tokens but have the type of text; the first is %2.</source>
        <translation>
            <numerusform>有 %1 个词元看起来像控制词元，类型却是文本；第一个是 %2。</numerusform>
        </translation>
    </message>
    <message>
        <source>Set their type to CONTROL.</source>
        <translation>将它们的类型设为 CONTROL。</translation>
    </message>
    <message>
        <source>There is no chat template</source>
        <translation>没有聊天模板</translation>
    </message>
    <message>
        <source>The name suggests a chat model, but the file does not define the format of conversations.</source>
        <translation>名称表明它是聊天模型，但文件没有定义对话的格式。</translation>
    </message>
    <message>
        <source>Add tokenizer.chat_template from the original model.</source>
        <translation>添加原始模型的 tokenizer.chat_template。</translation>
    </message>
    <message>
        <source>A chat template cannot be rendered</source>
        <translation>有一个聊天模板无法渲染</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>第 %1 行第 %2 列：%3</translation>
    </message>
    <message>
        <source>Correct it, or load the one that the original model came with.</source>
        <translation>请更正，或加载原始模型所附的模板。</translation>
    </message>
    <message>
        <source>The chat template uses an unknown token</source>
        <translation>聊天模板使用了未知词元</translation>
    </message>
    <message>
        <source>%1, in line %2, is not in the vocabulary: the model would read it as text.</source>
        <translation>第 %2 行中的 %1 不在词表中：模型会将其读作文本。</translation>
    </message>
    <message>
        <source>Use the template of this model, or add the token.</source>
        <translation>使用此模型的模板，或添加该词元。</translation>
    </message>
    <message>
        <source>The chat template has \n outside of its tags</source>
        <translation>聊天模板在标签之外含有 \n</translation>
    </message>
    <message>
        <source>In line %1, it has a backslash and an n where only a line break begins a new line; prompts contain both characters.</source>
        <translation>第 %1 行有一个反斜杠和一个 n，而只有换行符才会另起一行；提示词会含有这两个字符。</translation>
    </message>
    <message>
        <source>Replace them by line breaks.</source>
        <translation>将其替换为换行符。</translation>
    </message>
    <message>
        <source>The chat template is in quotation marks</source>
        <translation>聊天模板被引号包围</translation>
    </message>
    <message>
        <source>It begins and ends with %1, as if it were copied from a JSON file, and each prompt does so, too.</source>
        <translation>它以 %1 开头和结尾，像是从 JSON 文件复制而来，每个提示词也会如此。</translation>
    </message>
    <message>
        <source>Remove the quotation marks.</source>
        <translation>移除引号。</translation>
    </message>
    <message>
        <source>A chat template is listed, but missing</source>
        <translation>列出的一个聊天模板缺失</translation>
    </message>
    <message>
        <source>The list of templates names %1, but the file has no such template.</source>
        <translation>模板列表中列出了 %1，但文件没有这个模板。</translation>
    </message>
    <message>
        <source>Remove it from tokenizer.chat_templates, or add the template.</source>
        <translation>将其从 tokenizer.chat_templates 中移除，或添加该模板。</translation>
    </message>
    <message>
        <source>The chat template does not show how tools are called</source>
        <translation>聊天模板没有展示如何调用工具</translation>
    </message>
    <message>
        <source>It shows tools to the model, but drops the calls of earlier answers, so that calls cannot be told from text.</source>
        <translation>它向模型展示工具，但丢弃先前回答中的调用，因此无法将调用与文本区分开来。</translation>
    </message>
    <message>
        <source>Use the template of the original model, or another one of its family.</source>
        <translation>使用原始模型的模板，或同一系列中的另一个模板。</translation>
    </message>
    <message>
        <source>Tool calls have no marker</source>
        <translation>工具调用没有标记</translation>
    </message>
    <message>
        <source>The chat template writes a call without a marker before it: an answer is taken for a call if tools were given and it begins like one.</source>
        <translation>聊天模板写出调用时，前面没有标记：如果给出了工具，而回答的开头像调用，就会被当作调用。</translation>
    </message>
    <message>
        <source>Messages end with another token</source>
        <translation>消息以另一个词元结束</translation>
    </message>
    <message>
        <source>The chat template ends a message with %1, but generation ends at %2; the model may not stop.</source>
        <translation>聊天模板以 %1 结束消息，但生成在 %2 处结束；模型可能不会停止。</translation>
    </message>
    <message>
        <source>Set tokenizer.ggml.eot_token_id or eos_token_id to the token that ends a message.</source>
        <translation>将 tokenizer.ggml.eot_token_id 或 eos_token_id 设为结束消息的词元。</translation>
    </message>
    <message>
        <source>The file name is unconventional</source>
        <translation>文件名不合惯例</translation>
    </message>
    <message>
        <source>%1 does not follow the naming convention BaseName-SizeLabel-FineTune-Version-Encoding.</source>
        <translation>%1 不符合命名惯例 BaseName-SizeLabel-FineTune-Version-Encoding。</translation>
    </message>
    <message>
        <source>The file name states another encoding</source>
        <translation>文件名写的是另一种编码</translation>
    </message>
    <message>
        <source>The name says %1, but most weights are %2.</source>
        <translation>名称中写的是 %1，但多数权重是 %2。</translation>
    </message>
    <message>
        <source>Rename the file, or check whether it is the right one.</source>
        <translation>重命名文件，或确认它是否是正确的文件。</translation>
    </message>
    <message>
        <source>The size label does not match</source>
        <translation>规模标签不符</translation>
    </message>
    <message>
        <source>The label says %1, but the tensors have %2 weights.</source>
        <translation>标签写的是 %1，但张量共有 %2 个权重。</translation>
    </message>
    <message>
        <source>A complete model is marked as a part</source>
        <translation>完整的模型被标记为分片</translation>
    </message>
    <message>
        <source>split.count is %1, although the model is a single file; merging leaves this behind.</source>
        <translation>split.count 为 %1，但模型是单个文件；合并会遗留此键。</translation>
    </message>
    <message>
        <source>Remove the split keys.</source>
        <translation>移除 split 键。</translation>
    </message>
    <message>
        <source>The number of a part is too large</source>
        <translation>分片编号过大</translation>
    </message>
    <message>
        <source>split.no is %1 of %2 parts; the first is 0.</source>
        <translation>split.no 为 %1，而分片共有 %2 个；第一个为 0。</translation>
    </message>
    <message>
        <source>Delete the key</source>
        <translation>删除键</translation>
    </message>
    <message>
        <source>Its value is lost.</source>
        <translation>它的值会丢失。</translation>
    </message>
    <message>
        <source>Delete the repetitions</source>
        <translation>删除重复的键</translation>
    </message>
    <message>
        <source>The first value stays, and the others are lost.</source>
        <translation>保留第一个值，其余的会丢失。</translation>
    </message>
    <message>
        <source>Store it as true</source>
        <translation>存储为 true</translation>
    </message>
    <message>
        <source>Set the alignment to 32</source>
        <translation>将对齐设为 32</translation>
    </message>
    <message>
        <source>The number in the file is replaced by the alignment with which its tensors were read.</source>
        <translation>文件中的数值会被替换为读取其张量时所用的对齐。</translation>
    </message>
    <message>
        <source>Drop these bytes</source>
        <translation>丢弃这些字节</translation>
    </message>
    <message>
        <source>The bytes are lost.</source>
        <translation>这些字节会丢失。</translation>
    </message>
    <message>
        <source>Write version 3</source>
        <translation>写为版本 3</translation>
    </message>
    <message>
        <source>The model then has no such token: without an end of text, its answers may not end.</source>
        <translation>此后模型没有这样的词元：如果没有文本结尾词元，回答可能不会结束。</translation>
    </message>
    <message>
        <source>Change the type</source>
        <translation>更改类型</translation>
    </message>
    <message>
        <source>Rename the key</source>
        <translation>重命名键</translation>
    </message>
    <message>
        <source>Add the key</source>
        <translation>添加键</translation>
    </message>
    <message>
        <source>Set the file type</source>
        <translation>设置文件类型</translation>
    </message>
    <message>
        <source>Of a family of mixes, such as Q4_K_S and Q4_K_M, the medium one is set.</source>
        <translation>在 Q4_K_S 与 Q4_K_M 这类混合类型系列中，会设为中间的那个。</translation>
    </message>
    <message>
        <source>Set the size</source>
        <translation>设置大小</translation>
    </message>
    <message>
        <source>This is wrong if tokens are missing from the list.</source>
        <translation>如果列表中缺少词元，这样做是错误的。</translation>
    </message>
    <message>
        <source>Match the tokens</source>
        <translation>按词元数量调整</translation>
    </message>
    <message>
        <source>Values beyond the tokens are lost. Missing types are inferred from the spelling of the tokens, and missing scores become 0.</source>
        <translation>超出词元数量的值会丢失。缺少的类型根据词元的拼写推断，缺少的分数设为 0。</translation>
    </message>
    <message>
        <source>Make it a control token</source>
        <translation>设为控制词元</translation>
    </message>
    <message>
        <source>If the key names the wrong token, text that contains this token is then read differently.</source>
        <translation>如果该键指定了错误的词元，含有此词元的文本此后会被读成不同的内容。</translation>
    </message>
    <message>
        <source>Set its type</source>
        <translation>设置其类型</translation>
    </message>
    <message>
        <source>The type is inferred from the spelling of the token.</source>
        <translation>类型根据词元的拼写推断。</translation>
    </message>
    <message>
        <source>Make them control tokens</source>
        <translation>都设为控制词元</translation>
    </message>
    <message>
        <source>They are chosen by their spelling. Text that contains them is then read differently.</source>
        <translation>这些词元根据拼写选出。含有它们的文本此后会被读成不同的内容。</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>The intention is inferred: check what it renders.</source>
        <translation>意图是推断出来的：请检查渲染的内容。</translation>
    </message>
    <message>
        <source>Add the token</source>
        <translation>添加词元</translation>
    </message>
    <message>
        <source>Replace by line breaks</source>
        <translation>替换为换行符</translation>
    </message>
    <message>
        <source>This is wrong where the template shows the model how to write \n.</source>
        <translation>如果模板在该处是向模型说明如何书写 \n，这样做是错误的。</translation>
    </message>
    <message>
        <source>Remove the quotation marks</source>
        <translation>移除引号</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Remove the split keys</source>
        <translation>移除 split 键</translation>
    </message>
    <message>
        <source>The value is −1, which some programs write for &quot;no such token&quot;; the model is treated as having none.</source>
        <translation>该值为 −1，有些程序用它表示“没有此词元”；模型按没有此词元处理。</translation>
    </message>
    <message>
        <source>The base of the positions is unusual</source>
        <translation>位置编码的基数不寻常</translation>
    </message>
    <message>
        <source>It is %1; models of this architecture have %2 to %3. With a wrong base, short texts still work, and longer ones turn into nonsense.</source>
        <translation>基数为 %1；此架构的模型为 %2 到 %3。基数错误时，短文本仍然正常，较长的文本则会变得毫无意义。</translation>
    </message>
    <message>
        <source>Compare it with rope_theta in config.json of the original.</source>
        <translation>请与原始模型 config.json 中的 rope_theta 比较。</translation>
    </message>
    <message>
        <source>The context is longer than trained</source>
        <translation>上下文比训练时更长</translation>
    </message>
    <message>
        <source>context_length is %1, but the model was trained with %2, and the scaling of positions is %3. Beyond the trained length, answers turn into nonsense.</source>
        <translation>context_length 为 %1，但模型训练时为 %2，位置缩放为 %3。超出训练长度后，回答会变得毫无意义。</translation>
    </message>
    <message>
        <source>Set rope.scaling.type and factor as in config.json of the original, or context_length to the trained length.</source>
        <translation>按原始模型的 config.json 设置 rope.scaling.type 和 factor，或将 context_length 设为训练长度。</translation>
    </message>
    <message>
        <source>Rows lack the bytes of their headers</source>
        <translation>各行缺少行头的字节</translation>
    </message>
    <message>
        <source>A tensor of type %1 needs %2 bytes, but the next one begins after %3: whoever wrote the file forgot the header of each row. Every row is read from a wrong place, and answers are nonsense.</source>
        <translation>类型为 %1 的张量需要 %2 个字节，但下一个张量在 %3 个字节之后就开始：写入该文件的程序遗漏了每行的行头。每行都会从错误的位置读取，回答毫无意义。</translation>
    </message>
    <message>
        <source>Quantise the model again with a newer version of the program.</source>
        <translation>请用该程序的更新版本重新量化模型。</translation>
    </message>
    <message>
        <source>All weights are equal</source>
        <translation>所有权重都相同</translation>
    </message>
    <message>
        <source>Every weight of this matrix has the same value, so that all its outputs are equal. No training leaves that behind: it was not written, or overwritten.</source>
        <translation>此矩阵的每个权重都是同一个值，因此它的所有输出都相同。任何训练都不会产生这种结果：它没有写入，或已被覆盖。</translation>
    </message>
    <message>
        <source>Fetch the file again, or convert the model again; gufo-cli compare FOLDER FILE shows whether the original has it.</source>
        <translation>重新获取文件，或重新转换模型；gufo-cli compare FOLDER FILE 可显示原始模型是否也如此。</translation>
    </message>
    <message>
        <source>Weights are huge</source>
        <translation>权重非常大</translation>
    </message>
    <message>
        <source>The largest weight is %1. Answers are nonsense as soon as it is used, or end in infinities with 16-bit activations.</source>
        <translation>最大的权重为 %1。一旦用到它，回答就毫无意义；使用 16 位激活值时，还会出现无穷大。</translation>
    </message>
    <message>
        <source>A norm is zero</source>
        <translation>有一个归一化张量全为零</translation>
    </message>
    <message>
        <source>Every weight of this norm is zero, so that the block behind it sees nothing.</source>
        <translation>此归一化张量的每个权重都为零，因此其后的块接收不到任何信息。</translation>
    </message>
    <message>
        <source>Fetch the file again, or convert the model again: some converters forget to add 1 to the norms of Gemma.</source>
        <translation>重新获取文件，或重新转换模型：有些转换程序会忘记给 Gemma 的归一化权重加 1。</translation>
    </message>
    <message>
        <source>Rows are zero</source>
        <translation>有些行全为零</translation>
    </message>
    <message>
        <source>The rows %1 to %2 of %3 are zero. Outputs are missing without an error, which makes answers worse; rows that follow each other are likely a hole in the file.</source>
        <translation>第 %1 行到第 %2 行（共 %3 行）为零。这会使部分输出缺失而不报错，回答因此变差；如果这些行彼此相连，很可能是文件有缺漏。</translation>
    </message>
    <message>
        <source>Fetch the file again; gufo-cli verify compares it with the hub. If the model was pruned on purpose, nothing is wrong.</source>
        <translation>重新获取文件；gufo-cli verify 可将它与 Hub 上的文件比较。如果是有意剪枝的模型，则没有问题。</translation>
    </message>
    <message>
        <source>Experts are zero</source>
        <translation>有些专家全为零</translation>
    </message>
    <message>
        <source>%1 of %2 experts are zero; the first is expert %3. Tokens that are routed to them lose this part of the block.</source>
        <translation>%2 个专家中有 %1 个为零；第一个是专家 %3。路由到这些专家的词元会失去块的这一部分。</translation>
    </message>
    <message>
        <source>Fetch the file again, or quantise it again; if experts were pruned, their rows of the router must go, too.</source>
        <translation>重新获取文件，或重新量化；如果专家经过剪枝，它们在路由器中的行也必须移除。</translation>
    </message>
    <message>
        <source>Experts are equal</source>
        <translation>有些专家完全相同</translation>
    </message>
    <message>
        <source>Experts that are copies of others in this tensor: %1; the first are %2 and %3. A model that was trained has none: the converter took the same file twice, or the model was enlarged by copying.</source>
        <translation>此张量中与其他专家完全相同的专家数：%1；最先的是 %2 和 %3。训练得到的模型不会有这种情况：转换程序两次使用了同一文件，或模型是通过复制扩大的。</translation>
    </message>
    <message>
        <source>Convert the model again; if it was enlarged by copying, nothing is wrong.</source>
        <translation>重新转换模型；如果模型是通过复制扩大的，则没有问题。</translation>
    </message>
    <message>
        <source>A tensor is that of another block</source>
        <translation>有一个张量属于另一个块</translation>
    </message>
    <message>
        <source>Its bytes are those of the same tensor of block %1, but other tensors of block %2 differ. The block then computes with weights of another one.</source>
        <translation>它的字节与块 %1 中同一张量的字节相同，但块 %2 的其他张量不同。因此该块会用另一个块的权重计算。</translation>
    </message>
    <message>
        <source>Convert or fetch the model again.</source>
        <translation>重新转换或获取模型。</translation>
    </message>
    <message>
        <source>A block is a copy of another one</source>
        <translation>有一个块是另一个块的副本</translation>
    </message>
    <message>
        <source>All matrices of block %2 are those of block %1. Models that were enlarged by copying blocks have such; in others a shard was written twice.</source>
        <translation>块 %2 的所有矩阵都与块 %1 的相同。通过复制块扩大的模型会有这种情况；在其他模型中，则是有一个分片写入了两次。</translation>
    </message>
    <message>
        <source>If the model was not enlarged, convert or fetch it again.</source>
        <translation>如果模型没有经过扩大，请重新转换或获取。</translation>
    </message>
    <message>
        <source>A token was never trained</source>
        <translation>有一个词元从未经过训练</translation>
    </message>
    <message>
        <source>The row of %1 (token %2) is nearly zero beside the others, although the template or a key uses the token. The model does not know what it means, and may never write it.</source>
        <translation>%1（词元 %2）的行与其他行相比几乎为零，而模板或某个键使用了该词元。模型不知道它的含义，也可能永远不会写出它。</translation>
    </message>
    <message>
        <source>Use the template of this model: a chat template of an instruct model on a base model has this effect.</source>
        <translation>请使用此模型的模板：在基础模型上使用指令模型的聊天模板会导致这种情况。</translation>
    </message>
    <message>
        <source>The pre-tokenizer does not fit the vocabulary</source>
        <translation>预分词器与词表不符</translation>
    </message>
    <message>
        <source>Of %2 tokens that were tried, the rule splits %1 so that no text is ever read as them; the first is %3. Another rule splits nearly none. The model reads texts in pieces that it was not trained on, and answers worse, mostly with numbers and code.</source>
        <translation>在试过的 %2 个词元中，有 %1 个被该规则拆开，因而任何文本都不会被读作这些词元；第一个是 %3。另一种规则几乎不会拆开任何词元。模型读到的文本切分方式与训练时不同，回答会变差，尤其是数字和代码。</translation>
    </message>
    <message>
        <source>Compare tokenizer.ggml.pre with that of another file of the model, or convert the model again.</source>
        <translation>将 tokenizer.ggml.pre 与该模型另一个文件中的比较，或重新转换模型。</translation>
    </message>
    <message>
        <source>A projector lies beside the model</source>
        <translation>模型旁有一个投影器</translation>
    </message>
    <message>
        <source>%1 in the same folder fits this model: with it, the model sees pictures or hears.</source>
        <translation>同一文件夹中的 %1 与此模型匹配：有了它，模型可以看图片或听声音。</translation>
    </message>
    <message>
        <source>Give both files to the program that runs the model.</source>
        <translation>请将两个文件都交给运行模型的程序。</translation>
    </message>
    <message>
        <source>A projector with its model</source>
        <translation>投影器与其模型</translation>
    </message>
    <message>
        <source>It fits %1 in the same folder.</source>
        <translation>它与同一文件夹中的 %1 匹配。</translation>
    </message>
    <message>
        <source>A projector fits no model of the folder</source>
        <translation>有一个投影器与文件夹中的模型都不匹配</translation>
    </message>
    <message>
        <source>%1 is a projector, but fits none of the models in this folder.</source>
        <translation>%1 是投影器，但与此文件夹中的任何模型都不匹配。</translation>
    </message>
    <message>
        <source>gufo-cli fits MODEL PROJECTOR, or Tools › Check Pairing, says why and what would fit.</source>
        <translation>gufo-cli fits MODEL PROJECTOR，或“工具”›“检查配对”，会说明原因以及与之匹配的内容。</translation>
    </message>
    <message>
        <source>The model has no name</source>
        <translation>模型没有名称</translation>
    </message>
    <message>
        <source>general.name is missing: pages and programs show the name of the file instead.</source>
        <translation>缺少 general.name：网页和程序会改为显示文件名。</translation>
    </message>
    <message>
        <source>Set general.name.</source>
        <translation>设置 general.name。</translation>
    </message>
    <message>
        <source>The licence is missing</source>
        <translation>缺少许可证</translation>
    </message>
    <message>
        <source>general.license is missing: nobody knows whether they may use the model.</source>
        <translation>缺少 general.license：没有人知道是否可以使用该模型。</translation>
    </message>
    <message>
        <source>Set general.license to the identifier of the licence, such as apache-2.0.</source>
        <translation>将 general.license 设为许可证的标识符，例如 apache-2.0。</translation>
    </message>
    <message>
        <source>A licence that hubs do not know</source>
        <translation>Hub 不认识的许可证</translation>
    </message>
    <message>
        <source>%1 is not the identifier of a licence.</source>
        <translation>%1 不是许可证的标识符。</translation>
    </message>
    <message>
        <source>Choose an identifier, such as apache-2.0, or set it to other and name the licence in general.license.name and general.license.link.</source>
        <translation>选择一个标识符，例如 apache-2.0；或将其设为 other，并在 general.license.name 和 general.license.link 中说明许可证。</translation>
    </message>
    <message>
        <source>The licence is spelled differently</source>
        <translation>许可证的写法不同</translation>
    </message>
    <message>
        <source>Hubs know %1 as %2.</source>
        <translation>%1 在 Hub 上的写法是 %2。</translation>
    </message>
    <message>
        <source>Set general.license to the identifier.</source>
        <translation>将 general.license 设为该标识符。</translation>
    </message>
    <message>
        <source>Where the licence can be read is not said</source>
        <translation>没有说明许可证可在何处查阅</translation>
    </message>
    <message>
        <source>The licence %1 has neither general.license.name nor general.license.link.</source>
        <translation>许可证 %1 既没有 general.license.name，也没有 general.license.link。</translation>
    </message>
    <message>
        <source>Set general.license.link to the address of its text.</source>
        <translation>将 general.license.link 设为许可证文本的地址。</translation>
    </message>
    <message>
        <source>An address is not a link</source>
        <translation>有一个地址不是链接</translation>
    </message>
    <message>
        <source>%1 does not begin with https:// and a host.</source>
        <translation>%1 不是以 https:// 加主机名开头。</translation>
    </message>
    <message>
        <source>Set the key to the whole address.</source>
        <translation>将该键设为完整的地址。</translation>
    </message>
    <message>
        <source>The base model is not named</source>
        <translation>没有指明基础模型</translation>
    </message>
    <message>
        <source>The model is quantised, but does not say of which model: pages of the original do not list it.</source>
        <translation>该模型经过量化，但没有说明源自哪个模型：原始模型的页面不会列出它。</translation>
    </message>
    <message>
        <source>Set general.base_model.count to 1, and general.base_model.0.name and repo_url.</source>
        <translation>将 general.base_model.count 设为 1，并设置 general.base_model.0.name 和 repo_url。</translation>
    </message>
    <message>
        <source>The number of base models is wrong</source>
        <translation>基础模型的数量有误</translation>
    </message>
    <message>
        <source>general.base_model.count is %1, but %2 base models are described.</source>
        <translation>general.base_model.count 为 %1，但描述了 %2 个基础模型。</translation>
    </message>
    <message>
        <source>Set it to the number of base models.</source>
        <translation>将其设为基础模型的数量。</translation>
    </message>
    <message>
        <source>A base model has no address</source>
        <translation>有一个基础模型没有地址</translation>
    </message>
    <message>
        <source>%1 is named without the address of its page.</source>
        <translation>指明了 %1，但没有给出其页面的地址。</translation>
    </message>
    <message>
        <source>Set its repo_url.</source>
        <translation>设置它的 repo_url。</translation>
    </message>
    <message>
        <source>The languages are not named</source>
        <translation>没有指明语言</translation>
    </message>
    <message>
        <source>general.languages is missing: searches by language do not find the model.</source>
        <translation>缺少 general.languages：按语言搜索时找不到该模型。</translation>
    </message>
    <message>
        <source>Set general.languages to a list of codes, such as [&quot;en&quot;, &quot;de&quot;].</source>
        <translation>将 general.languages 设为代码的列表，例如 [&quot;en&quot;, &quot;de&quot;]。</translation>
    </message>
    <message>
        <source>A language is not a code</source>
        <translation>有一种语言没有用代码表示</translation>
    </message>
    <message>
        <source>%1 is not the code of a language.</source>
        <translation>%1 不是语言代码。</translation>
    </message>
    <message>
        <source>Use ISO 639 codes, such as en, de or pt-BR.</source>
        <translation>使用 ISO 639 代码，例如 en、de 或 pt-BR。</translation>
    </message>
    <message>
        <source>The file has an unconventional name</source>
        <translation>文件的名称不合惯例</translation>
    </message>
    <message>
        <source>By the naming convention, %1 is called %2.</source>
        <translation>按照命名惯例，%1 应名为 %2。</translation>
    </message>
    <message>
        <source>Rename the file.</source>
        <translation>重命名文件。</translation>
    </message>
    <message>
        <source>The importance matrix is not named</source>
        <translation>没有指明重要性矩阵</translation>
    </message>
    <message>
        <source>Most weights are %1, which needs an importance matrix to be usable, but the file names none.</source>
        <translation>多数权重是 %1，需要重要性矩阵才能使用，但文件没有指明任何重要性矩阵。</translation>
    </message>
    <message>
        <source>If one was used, set quantize.imatrix.file to its name.</source>
        <translation>如果使用过，请将 quantize.imatrix.file 设为其名称。</translation>
    </message>
    <message>
        <source>A path of a computer is in the file</source>
        <translation>文件中含有某台电脑上的路径</translation>
    </message>
    <message>
        <source>%1 shows folders of the computer on which the model was quantised.</source>
        <translation>%1 暴露了量化模型时所用电脑上的文件夹。</translation>
    </message>
    <message>
        <source>Keep only the name.</source>
        <translation>只保留名称。</translation>
    </message>
    <message>
        <source>There are no sampling defaults</source>
        <translation>没有采样默认值</translation>
    </message>
    <message>
        <source>The file has no general.sampling keys: programs sample with their own settings.</source>
        <translation>文件没有 general.sampling 键：程序会使用自己的设置采样。</translation>
    </message>
    <message>
        <source>Take them from generation_config.json of the original: general.sampling.temp, top_k, top_p.</source>
        <translation>取自原始模型的 generation_config.json：general.sampling.temp、top_k、top_p。</translation>
    </message>
    <message>
        <source>It takes the place of the first token that is reserved or unused, or else a row that is the mean of all others. A model that was not trained with it does not know what it means.</source>
        <translation>它会取代第一个保留或未使用的词元；如果没有，则新增一行，其值为所有其他行的均值。没有用它训练过的模型不知道它的含义。</translation>
    </message>
    <message>
        <source>Take it from the file&apos;s name</source>
        <translation>取自文件名</translation>
    </message>
    <message>
        <source>The name is inferred from that of the file.</source>
        <translation>名称是根据文件名推断的。</translation>
    </message>
    <message>
        <source>Use the identifier</source>
        <translation>使用标识符</translation>
    </message>
    <message>
        <source>Complete the address</source>
        <translation>补全地址</translation>
    </message>
    <message>
        <source>The address is inferred: check where it leads.</source>
        <translation>该地址是推断的：请检查它指向何处。</translation>
    </message>
    <message>
        <source>Set the number</source>
        <translation>设置数量</translation>
    </message>
    <message>
        <source>Add its address on the Hub</source>
        <translation>添加其 Hub 地址</translation>
    </message>
    <message>
        <source>The address is inferred from the organisation and the name: check where it leads.</source>
        <translation>该地址是根据组织和名称推断的：请检查它指向何处。</translation>
    </message>
    <message>
        <source>Use the code</source>
        <translation>使用代码</translation>
    </message>
    <message>
        <source>Keep only the name</source>
        <translation>只保留名称</translation>
    </message>
    <message>
        <source>%1, in line %2, is not in the vocabulary: the model would read it as text. No token of the vocabulary is unused, so it needs a further row of the embedding.</source>
        <translation>词表中没有第 %2 行的 %1：模型会将其读作文本。词表没有未使用的词元，因此嵌入需要为它增加一行。</translation>
    </message>
    <message>
        <source>Use the template of this model, or add the token, as gufo-cli set FILE --vocab extend:TOKEN does.</source>
        <translation>使用此模型的模板，或添加该词元，例如用 gufo-cli set FILE --vocab extend:TOKEN。</translation>
    </message>
    <message>
        <source>Weights are not those of the base model</source>
        <translation>权重与基础模型的不同</translation>
    </message>
    <message>
        <source>%2 of %3 tensors differ from those of %1 by more than their types explain; here, the squared error is %4 of the squared weights, and %5 usually makes at most %6.</source>
        <translation>%3 个张量中有 %2 个与 %1 的差异超出其类型所能解释的程度；此处平方误差是权重平方的 %4，而 %5 通常最多为 %6。</translation>
    </message>
    <message>
        <source>The file was made from another model, or its weights are damaged: answers are not those of the base model. Quantise the base model again, or state the right one.</source>
        <translation>文件由另一个模型制成，或其权重已损坏：回答与基础模型的不同。请重新量化基础模型，或指明正确的基础模型。</translation>
    </message>
    <message>
        <source>The file is in the dialect of Ollama&apos;s library</source>
        <translation>文件采用 Ollama 模型库的方言</translation>
    </message>
    <message>
        <source>Ollama translates it while it loads it; other programs refuse it or answer wrongly. It differs from the common form in: %1.</source>
        <translation>Ollama 在加载时转换它；其他程序会拒绝它或回答错误。与通用形式的差异：%1。</translation>
    </message>
    <message>
        <source>Convert it to the common form.</source>
        <translation>将其转换为通用形式。</translation>
    </message>
    <message>
        <source>Ollama translates it while it loads it; other programs refuse it or answer wrongly. It differs from the common form in: %1. Gufo cannot convert: %2.</source>
        <translation>Ollama 在加载时转换它；其他程序会拒绝它或回答错误。与通用形式的差异：%1。Gufo 无法转换：%2。</translation>
    </message>
    <message>
        <source>Run it in Ollama, or get a file of the model that was made for llama.cpp.</source>
        <translation>在 Ollama 中运行它，或获取为 llama.cpp 制作的模型文件。</translation>
    </message>
    <message>
        <source>Convert to the common form</source>
        <translation>转换为通用形式</translation>
    </message>
    <message>
        <source>Versions of Ollama that know only its own form no longer run the file.</source>
        <translation>只认识自身形式的 Ollama 版本将无法再运行该文件。</translation>
    </message>
    <message>
        <source>The chat template is not safe</source>
        <translation>聊天模板不安全</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>Take the template of the base model. The audit of the template shows two conversations that prove it.</source>
        <translation>请使用基础模型的模板。模板审计会显示可作证明的两段对话。</translation>
    </message>
    <message>
        <source>The chat template is wrong</source>
        <translation>聊天模板有误</translation>
    </message>
    <message>
        <source>The audit of the template shows where.</source>
        <translation>模板审计会显示问题所在。</translation>
    </message>
    <message>
        <source>The chat template could not be judged</source>
        <translation>无法评判聊天模板</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>Do not publish a template that nobody can check.</source>
        <translation>请不要发布无人能够检查的模板。</translation>
    </message>
    <message>
        <source>Delete the characters</source>
        <translation>删除这些字符</translation>
    </message>
    <message>
        <source>Set the end of answers</source>
        <translation>设置回答的结束</translation>
    </message>
</context>
<context>
    <name>Formats</name>
    <message>
        <source>an unfinished download</source>
        <translation>未完成的下载</translation>
    </message>
    <message>
        <source>GGUF</source>
        <translation>GGUF</translation>
    </message>
    <message>
        <source>a GGUF file whose saving was interrupted</source>
        <translation>保存中断的 GGUF 文件</translation>
    </message>
    <message>
        <source>a safetensors file whose saving was interrupted</source>
        <translation>保存中断的 safetensors 文件</translation>
    </message>
    <message>
        <source>a Git LFS pointer, which stands for the model until `git lfs pull` fetches it</source>
        <translation>一个 Git LFS 指针，在 `git lfs pull` 获取模型之前代表该模型</translation>
    </message>
    <message>
        <source>a voice activity detector of whisper.cpp (Silero), not a language model</source>
        <translation>属于 whisper.cpp 的语音活动检测器（Silero），不是语言模型</translation>
    </message>
    <message>
        <source>a GGML file, from before GGUF</source>
        <translation>一个 GGML 文件（早于 GGUF）</translation>
    </message>
    <message>
        <source>a GGMF file, from before GGUF</source>
        <translation>一个 GGMF 文件（早于 GGUF）</translation>
    </message>
    <message>
        <source>a GGJT file, from before GGUF</source>
        <translation>一个 GGJT 文件（早于 GGUF）</translation>
    </message>
    <message>
        <source>a GGLA adapter, from before GGUF</source>
        <translation>一个 GGLA 适配器（早于 GGUF）</translation>
    </message>
    <message>
        <source>a PyTorch checkpoint (ZIP)</source>
        <translation>一个 PyTorch 检查点（ZIP）</translation>
    </message>
    <message>
        <source>a ZIP archive, perhaps a PyTorch checkpoint or NumPy arrays</source>
        <translation>一个 ZIP 归档，可能是 PyTorch 检查点或 NumPy 数组</translation>
    </message>
    <message>
        <source>an HDF5 file, perhaps a Keras model</source>
        <translation>一个 HDF5 文件，可能是 Keras 模型</translation>
    </message>
    <message>
        <source>a NumPy array</source>
        <translation>一个 NumPy 数组</translation>
    </message>
    <message>
        <source>a TensorFlow Lite model</source>
        <translation>一个 TensorFlow Lite 模型</translation>
    </message>
    <message>
        <source>a PyTorch checkpoint (tar, from before version 0.1.10)</source>
        <translation>一个 PyTorch 检查点（tar，早于版本 0.1.10）</translation>
    </message>
    <message>
        <source>a tar archive, perhaps an old PyTorch checkpoint</source>
        <translation>一个 tar 归档，可能是旧的 PyTorch 检查点</translation>
    </message>
    <message>
        <source>compressed with gzip</source>
        <translation>以 gzip 压缩的文件</translation>
    </message>
    <message>
        <source>compressed with Zstandard</source>
        <translation>以 Zstandard 压缩的文件</translation>
    </message>
    <message>
        <source>compressed with xz</source>
        <translation>以 xz 压缩的文件</translation>
    </message>
    <message>
        <source>compressed with bzip2</source>
        <translation>以 bzip2 压缩的文件</translation>
    </message>
    <message>
        <source>compressed with LZ4</source>
        <translation>以 LZ4 压缩的文件</translation>
    </message>
    <message>
        <source>a 7-Zip archive</source>
        <translation>一个 7-Zip 归档</translation>
    </message>
    <message>
        <source>safetensors</source>
        <translation>safetensors</translation>
    </message>
    <message>
        <source>a PyTorch checkpoint (from before version 1.6)</source>
        <translation>一个 PyTorch 检查点（早于版本 1.6）</translation>
    </message>
    <message>
        <source>a Python pickle</source>
        <translation>一个 Python pickle 文件</translation>
    </message>
    <message>
        <source>an ONNX model</source>
        <translation>一个 ONNX 模型</translation>
    </message>
    <message>
        <source>a web page: the download fetched a page about the file instead of the file</source>
        <translation>一个网页：下载到的是介绍该文件的页面，而不是文件本身</translation>
    </message>
    <message>
        <source>an XML document: the download fetched a server&apos;s reply instead of the file</source>
        <translation>一个 XML 文档：下载到的是服务器的答复，而不是文件本身</translation>
    </message>
    <message>
        <source>a list of the files of a model</source>
        <translation>模型的文件列表</translation>
    </message>
    <message>
        <source>a manifest of Ollama</source>
        <translation>一份 Ollama 清单</translation>
    </message>
    <message>
        <source>a server&apos;s error message</source>
        <translation>服务器的错误消息</translation>
    </message>
    <message>
        <source>JSON text, perhaps a server&apos;s error message or a model&apos;s configuration</source>
        <translation>一段 JSON 文本，可能是服务器的错误消息或模型的配置</translation>
    </message>
    <message>
        <source>plain text</source>
        <translation>纯文本</translation>
    </message>
</context>
<context>
    <name>GraphParts</name>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Embeddings of the blocks</source>
        <translation>块的嵌入</translation>
    </message>
    <message>
        <source>RoPE factors</source>
        <translation>RoPE 因子</translation>
    </message>
    <message>
        <source>Parallel streams</source>
        <translation>并行流</translation>
    </message>
    <message>
        <source>Prediction of further tokens</source>
        <translation>后续词元的预测</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Indexer</source>
        <translation>索引器</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Norm of the result</source>
        <translation>结果的归一化</translation>
    </message>
    <message>
        <source>Cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>Router</source>
        <translation>路由器</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Shared experts</source>
        <translation>共享专家</translation>
    </message>
    <message>
        <source>The block&apos;s own embedding</source>
        <translation>块自身的嵌入</translation>
    </message>
    <message>
        <source>Alternating update</source>
        <translation>交替更新</translation>
    </message>
    <message>
        <source>Scale of the block</source>
        <translation>块的缩放因子</translation>
    </message>
    <message>
        <source>Vectors and scores</source>
        <translation>向量与分数</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Projector</source>
        <translation>投影器</translation>
    </message>
    <message>
        <source>Other tensors</source>
        <translation>其他张量</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Architecture that the model implements</source>
        <translation>模型所实现的架构</translation>
    </message>
    <message>
        <source>Version of the quantisation formats</source>
        <translation>量化格式的版本</translation>
    </message>
    <message>
        <source>Alignment of tensor data in bytes, 32 if absent</source>
        <translation>张量数据的对齐字节数，未给出时为 32</translation>
    </message>
    <message>
        <source>Kind of file: model, adapter, imatrix, mmproj</source>
        <translation>文件种类：model、adapter、imatrix、mmproj</translation>
    </message>
    <message>
        <source>Type that most tensors have</source>
        <translation>多数张量的类型</translation>
    </message>
    <message>
        <source>Display name</source>
        <translation>显示名称</translation>
    </message>
    <message>
        <source>Author of the model</source>
        <translation>模型的作者</translation>
    </message>
    <message>
        <source>Version of the model</source>
        <translation>模型的版本</translation>
    </message>
    <message>
        <source>Organisation that made the model</source>
        <translation>制作模型的组织</translation>
    </message>
    <message>
        <source>Base name, without size and version</source>
        <translation>基本名称，不含规模和版本</translation>
    </message>
    <message>
        <source>What the base model was tuned for</source>
        <translation>基础模型的微调目的</translation>
    </message>
    <message>
        <source>Free-form description</source>
        <translation>自由格式的描述</translation>
    </message>
    <message>
        <source>Who quantised the model</source>
        <translation>模型的量化者</translation>
    </message>
    <message>
        <source>Size class, such as 7B or 8x7B</source>
        <translation>规模等级，例如 7B 或 8x7B</translation>
    </message>
    <message>
        <source>Licence as an SPDX expression</source>
        <translation>许可证，以 SPDX 表达式表示</translation>
    </message>
    <message>
        <source>Display name of the licence</source>
        <translation>许可证的显示名称</translation>
    </message>
    <message>
        <source>Address of the licence</source>
        <translation>许可证的地址</translation>
    </message>
    <message>
        <source>Home page of the model</source>
        <translation>模型的主页</translation>
    </message>
    <message>
        <source>Digital object identifier</source>
        <translation>数字对象标识符</translation>
    </message>
    <message>
        <source>Universally unique identifier</source>
        <translation>通用唯一标识符</translation>
    </message>
    <message>
        <source>Repository of the model</source>
        <translation>模型的仓库</translation>
    </message>
    <message>
        <source>Search keywords</source>
        <translation>搜索关键词</translation>
    </message>
    <message>
        <source>Languages, two-letter codes of ISO 639</source>
        <translation>语言，ISO 639 双字母代码</translation>
    </message>
    <message>
        <source>Data sets of the training</source>
        <translation>训练所用的数据集</translation>
    </message>
    <message>
        <source>Hash of the tensor data</source>
        <translation>张量数据的哈希</translation>
    </message>
    <message>
        <source>Order of the samplers</source>
        <translation>采样器的顺序</translation>
    </message>
    <message>
        <source>Number of candidates that top-k keeps</source>
        <translation>top-k 保留的候选数量</translation>
    </message>
    <message>
        <source>Probability mass that top-p keeps</source>
        <translation>top-p 保留的概率质量</translation>
    </message>
    <message>
        <source>Smallest probability relative to the best</source>
        <translation>相对于最可能词元的最小概率</translation>
    </message>
    <message>
        <source>Probability that XTC removes top candidates</source>
        <translation>XTC 移除最佳候选的概率</translation>
    </message>
    <message>
        <source>Probability threshold of XTC</source>
        <translation>XTC 的概率阈值</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Number of recent tokens that the repetition penalty considers</source>
        <translation>重复惩罚所考虑的最近词元数</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>Version of Mirostat, 0 for none</source>
        <translation>Mirostat 的版本，0 表示不用</translation>
    </message>
    <message>
        <source>Target surprise of Mirostat</source>
        <translation>Mirostat 的目标惊讶度</translation>
    </message>
    <message>
        <source>Learning rate of Mirostat</source>
        <translation>Mirostat 的学习率</translation>
    </message>
    <message>
        <source>Home page of the source</source>
        <translation>来源的主页</translation>
    </message>
    <message>
        <source>Digital object identifier of the source</source>
        <translation>来源的数字对象标识符</translation>
    </message>
    <message>
        <source>Identifier of the source</source>
        <translation>来源的标识符</translation>
    </message>
    <message>
        <source>Repository of the source</source>
        <translation>来源的仓库</translation>
    </message>
    <message>
        <source>Repository of the source on Hugging Face</source>
        <translation>来源在 Hugging Face 上的仓库</translation>
    </message>
    <message>
        <source>Number of base models</source>
        <translation>基础模型的数量</translation>
    </message>
    <message>
        <source>Name of a base model</source>
        <translation>基础模型的名称</translation>
    </message>
    <message>
        <source>Author of a base model</source>
        <translation>基础模型的作者</translation>
    </message>
    <message>
        <source>Version of a base model</source>
        <translation>基础模型的版本</translation>
    </message>
    <message>
        <source>Organisation of a base model</source>
        <translation>基础模型的组织</translation>
    </message>
    <message>
        <source>Description of a base model</source>
        <translation>基础模型的描述</translation>
    </message>
    <message>
        <source>Home page of a base model</source>
        <translation>基础模型的主页</translation>
    </message>
    <message>
        <source>Digital object identifier of a base model</source>
        <translation>基础模型的数字对象标识符</translation>
    </message>
    <message>
        <source>Identifier of a base model</source>
        <translation>基础模型的标识符</translation>
    </message>
    <message>
        <source>Repository of a base model</source>
        <translation>基础模型的仓库</translation>
    </message>
    <message>
        <source>Number of data sets</source>
        <translation>数据集的数量</translation>
    </message>
    <message>
        <source>Name of a data set</source>
        <translation>数据集的名称</translation>
    </message>
    <message>
        <source>Author of a data set</source>
        <translation>数据集的作者</translation>
    </message>
    <message>
        <source>Version of a data set</source>
        <translation>数据集的版本</translation>
    </message>
    <message>
        <source>Organisation of a data set</source>
        <translation>数据集的组织</translation>
    </message>
    <message>
        <source>Description of a data set</source>
        <translation>数据集的描述</translation>
    </message>
    <message>
        <source>Home page of a data set</source>
        <translation>数据集的主页</translation>
    </message>
    <message>
        <source>Digital object identifier of a data set</source>
        <translation>数据集的数字对象标识符</translation>
    </message>
    <message>
        <source>Identifier of a data set</source>
        <translation>数据集的标识符</translation>
    </message>
    <message>
        <source>Repository of a data set</source>
        <translation>数据集的仓库</translation>
    </message>
    <message>
        <source>Number of tokens in the vocabulary</source>
        <translation>词表中的词元数量</translation>
    </message>
    <message>
        <source>Trained context length in tokens</source>
        <translation>训练时的上下文长度，以词元为单位</translation>
    </message>
    <message>
        <source>Width of the residual stream</source>
        <translation>残差流的宽度</translation>
    </message>
    <message>
        <source>Width of the output embedding</source>
        <translation>输出嵌入的宽度</translation>
    </message>
    <message>
        <source>Width of the per-block embedding</source>
        <translation>每块嵌入的宽度</translation>
    </message>
    <message>
        <source>Width of the input features</source>
        <translation>输入特征的宽度</translation>
    </message>
    <message>
        <source>Number of blocks</source>
        <translation>块的数量</translation>
    </message>
    <message>
        <source>Number of leading blocks without experts</source>
        <translation>开头没有专家的块数</translation>
    </message>
    <message>
        <source>Width of the feed-forward</source>
        <translation>前馈的宽度</translation>
    </message>
    <message>
        <source>Attention and feed-forward run in parallel</source>
        <translation>注意力与前馈并行</translation>
    </message>
    <message>
        <source>How tensor data was rearranged</source>
        <translation>张量数据的重排方式</translation>
    </message>
    <message>
        <source>Number of experts</source>
        <translation>专家的数量</translation>
    </message>
    <message>
        <source>Experts used for each token</source>
        <translation>每个词元使用的专家数</translation>
    </message>
    <message>
        <source>Experts used for every token</source>
        <translation>所有词元都使用的共享专家数</translation>
    </message>
    <message>
        <source>Groups that experts are chosen from</source>
        <translation>可供选择的专家组数</translation>
    </message>
    <message>
        <source>Groups used for each token</source>
        <translation>每个词元使用的专家组数</translation>
    </message>
    <message>
        <source>Scale of the groups&apos; scores</source>
        <translation>组分数的缩放因子</translation>
    </message>
    <message>
        <source>Experts in a group</source>
        <translation>每组的专家数</translation>
    </message>
    <message>
        <source>Width of an expert</source>
        <translation>专家的宽度</translation>
    </message>
    <message>
        <source>Width of the shared experts</source>
        <translation>共享专家的宽度</translation>
    </message>
    <message>
        <source>Width of a chunk expert</source>
        <translation>分段专家的宽度</translation>
    </message>
    <message>
        <source>Scale of the experts&apos; weights</source>
        <translation>专家权重的缩放因子</translation>
    </message>
    <message>
        <source>Weights of the selected experts are normalised to a sum of 1</source>
        <translation>所选专家的权重归一化，使总和为 1</translation>
    </message>
    <message>
        <source>Function that converts expert scores to weights</source>
        <translation>将专家分数转换为权重的函数</translation>
    </message>
    <message>
        <source>Interval of the blocks with experts</source>
        <translation>含专家的块的间隔</translation>
    </message>
    <message>
        <source>Width of the experts&apos; compressed input</source>
        <translation>专家压缩输入的宽度</translation>
    </message>
    <message>
        <source>Number of blocks that predict additional tokens</source>
        <translation>预测后续词元的块数</translation>
    </message>
    <message>
        <source>Number of blocks that receive image features</source>
        <translation>接收图像特征的块数</translation>
    </message>
    <message>
        <source>Interval of the blocks with full attention</source>
        <translation>采用全注意力的块的间隔</translation>
    </message>
    <message>
        <source>Activation function of the feed-forward</source>
        <translation>前馈的激活函数</translation>
    </message>
    <message>
        <source>How token embeddings are pooled</source>
        <translation>词元嵌入的池化方式</translation>
    </message>
    <message>
        <source>Scale of the logits</source>
        <translation>logits 的缩放因子</translation>
    </message>
    <message>
        <source>Soft cap of attention scores</source>
        <translation>注意力分数的软上限</translation>
    </message>
    <message>
        <source>Soft cap of the logits</source>
        <translation>logits 的软上限</translation>
    </message>
    <message>
        <source>Soft cap of the router&apos;s scores</source>
        <translation>路由器分数的软上限</translation>
    </message>
    <message>
        <source>Factor of each branch</source>
        <translation>各分支的因子</translation>
    </message>
    <message>
        <source>Scale of the token embedding</source>
        <translation>词元嵌入的缩放因子</translation>
    </message>
    <message>
        <source>Sparsity of the activations of each block</source>
        <translation>各块激活的稀疏度</translation>
    </message>
    <message>
        <source>Active stream of the alternating updates</source>
        <translation>交替更新中的活动流</translation>
    </message>
    <message>
        <source>Streams of the alternating updates</source>
        <translation>交替更新的流数</translation>
    </message>
    <message>
        <source>Limit of the experts&apos; activations</source>
        <translation>专家激活的上限</translation>
    </message>
    <message>
        <source>Limit of the shared experts&apos; activations</source>
        <translation>共享专家激活的上限</translation>
    </message>
    <message>
        <source>Normalise queries and keys as in Swin</source>
        <translation>按 Swin 的方式对查询和键归一化</translation>
    </message>
    <message>
        <source>Token that starts the decoder</source>
        <translation>启动解码器的词元</translation>
    </message>
    <message>
        <source>Number of blocks of the decoder</source>
        <translation>解码器的块数</translation>
    </message>
    <message>
        <source>Input width of the first dense layer</source>
        <translation>第一个全连接层的输入宽度</translation>
    </message>
    <message>
        <source>Output width of the first dense layer</source>
        <translation>第一个全连接层的输出宽度</translation>
    </message>
    <message>
        <source>Input width of the second dense layer</source>
        <translation>第二个全连接层的输入宽度</translation>
    </message>
    <message>
        <source>Output width of the second dense layer</source>
        <translation>第二个全连接层的输出宽度</translation>
    </message>
    <message>
        <source>Names of the classes</source>
        <translation>类别的名称</translation>
    </message>
    <message>
        <source>Version of the architecture</source>
        <translation>架构的版本</translation>
    </message>
    <message>
        <source>Interval of blocks after which the residual stream is halved</source>
        <translation>每隔多少个块将残差流减半</translation>
    </message>
    <message>
        <source>Rank of the time mix&apos;s interpolation</source>
        <translation>时间混合插值的秩</translation>
    </message>
    <message>
        <source>Rank of the time mix&apos;s decay</source>
        <translation>时间混合衰减的秩</translation>
    </message>
    <message>
        <source>Token shifts in a block</source>
        <translation>每个块中的词元移位次数</translation>
    </message>
    <message>
        <source>Width of a head of the time mix</source>
        <translation>时间混合每个头的宽度</translation>
    </message>
    <message>
        <source>Width of a head of linear attention</source>
        <translation>线性注意力每个头的宽度</translation>
    </message>
    <message>
        <source>Taps of the short convolution</source>
        <translation>短卷积的抽头数</translation>
    </message>
    <message>
        <source>Width of the position network</source>
        <translation>位置网络的宽度</translation>
    </message>
    <message>
        <source>Blocks of the position network</source>
        <translation>位置网络的块数</translation>
    </message>
    <message>
        <source>Width of the ConvNeXt network</source>
        <translation>ConvNeXt 网络的宽度</translation>
    </message>
    <message>
        <source>Blocks of the ConvNeXt network</source>
        <translation>ConvNeXt 网络的块数</translation>
    </message>
    <message>
        <source>Context of the encoder</source>
        <translation>编码器的上下文</translation>
    </message>
    <message>
        <source>Width of the encoder</source>
        <translation>编码器的宽度</translation>
    </message>
    <message>
        <source>Number of blocks of the encoder</source>
        <translation>编码器的块数</translation>
    </message>
    <message>
        <source>Attention heads of the encoder</source>
        <translation>编码器的注意力头数</translation>
    </message>
    <message>
        <source>Context of the decoder</source>
        <translation>解码器的上下文</translation>
    </message>
    <message>
        <source>Width of the decoder</source>
        <translation>解码器的宽度</translation>
    </message>
    <message>
        <source>Attention heads of the decoder</source>
        <translation>解码器的注意力头数</translation>
    </message>
    <message>
        <source>Mel bands of the input</source>
        <translation>输入的梅尔频带数</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>Key and value heads; fewer than heads in grouped-query attention</source>
        <translation>键值头数；分组查询注意力中少于注意力头数</translation>
    </message>
    <message>
        <source>Width of a key head; width over heads if absent</source>
        <translation>键头的宽度；未给出时为宽度除以头数</translation>
    </message>
    <message>
        <source>Width of a value head; width over heads if absent</source>
        <translation>值头的宽度；未给出时为宽度除以头数</translation>
    </message>
    <message>
        <source>Width of a key head in blocks with a window</source>
        <translation>带窗口的块中键头的宽度</translation>
    </message>
    <message>
        <source>Width of a value head in blocks with a window</source>
        <translation>带窗口的块中值头的宽度</translation>
    </message>
    <message>
        <source>Width of an expanded key head</source>
        <translation>展开后键头的宽度</translation>
    </message>
    <message>
        <source>Width of an expanded value head</source>
        <translation>展开后值头的宽度</translation>
    </message>
    <message>
        <source>Epsilon of layer norms</source>
        <translation>层归一化的 epsilon</translation>
    </message>
    <message>
        <source>Epsilon of RMS norms</source>
        <translation>RMS 归一化的 epsilon</translation>
    </message>
    <message>
        <source>Epsilon of group norms</source>
        <translation>组归一化的 epsilon</translation>
    </message>
    <message>
        <source>Groups of group norms</source>
        <translation>组归一化的组数</translation>
    </message>
    <message>
        <source>Tokens attend only to earlier tokens</source>
        <translation>词元只关注之前的词元</translation>
    </message>
    <message>
        <source>Maximum bias of ALiBi</source>
        <translation>ALiBi 的最大偏置</translation>
    </message>
    <message>
        <source>Clamp of queries, keys and values</source>
        <translation>查询、键和值的截断值</translation>
    </message>
    <message>
        <source>Attention has its own norm</source>
        <translation>注意力有自己的归一化</translation>
    </message>
    <message>
        <source>Rank of the compressed query</source>
        <translation>压缩查询的秩</translation>
    </message>
    <message>
        <source>Rank of the compressed key and value</source>
        <translation>压缩键值的秩</translation>
    </message>
    <message>
        <source>Rank of the decay</source>
        <translation>衰减的秩</translation>
    </message>
    <message>
        <source>Rank of the in-context learning rate</source>
        <translation>上下文内学习率的秩</translation>
    </message>
    <message>
        <source>Rank of the value residual</source>
        <translation>值残差的秩</translation>
    </message>
    <message>
        <source>Rank of the gate</source>
        <translation>门控的秩</translation>
    </message>
    <message>
        <source>Buckets of relative positions</source>
        <translation>相对位置的桶数</translation>
    </message>
    <message>
        <source>Window size of sliding-window attention in tokens</source>
        <translation>滑动窗口注意力的窗口大小，以词元为单位</translation>
    </message>
    <message>
        <source>Which blocks use a window, or the interval of those that do not</source>
        <translation>哪些块使用窗口，或不使用窗口的块的间隔</translation>
    </message>
    <message>
        <source>Chunk size of chunked attention</source>
        <translation>分段注意力的段长</translation>
    </message>
    <message>
        <source>Number of final blocks that reuse keys and values of earlier ones</source>
        <translation>末尾重用先前块的键和值的块数</translation>
    </message>
    <message>
        <source>Which blocks are recurrent</source>
        <translation>哪些块是循环块</translation>
    </message>
    <message>
        <source>Factor of attention scores</source>
        <translation>注意力分数的因子</translation>
    </message>
    <message>
        <source>Factor of the attention output</source>
        <translation>注意力输出的因子</translation>
    </message>
    <message>
        <source>Context length from which attention temperature is scaled</source>
        <translation>从多长的上下文起缩放注意力温度</translation>
    </message>
    <message>
        <source>Strength of the attention temperature scaling</source>
        <translation>注意力温度缩放的强度</translation>
    </message>
    <message>
        <source>Heads of the indexer</source>
        <translation>索引器的头数</translation>
    </message>
    <message>
        <source>Width of the indexer&apos;s keys</source>
        <translation>索引器键的宽度</translation>
    </message>
    <message>
        <source>Tokens that the indexer chooses</source>
        <translation>索引器选出的词元数</translation>
    </message>
    <message>
        <source>Dimensions of a head that are rotated</source>
        <translation>每个头中参与旋转的维度数</translation>
    </message>
    <message>
        <source>Rotated dimensions in blocks with a window</source>
        <translation>带窗口的块中参与旋转的维度数</translation>
    </message>
    <message>
        <source>Dimensions for time, height, width and more</source>
        <translation>分别用于时间、高度、宽度等的维度数</translation>
    </message>
    <message>
        <source>Base of the rotation frequencies</source>
        <translation>旋转频率的基数</translation>
    </message>
    <message>
        <source>Base of the frequencies in blocks with a window</source>
        <translation>带窗口的块中频率的基数</translation>
    </message>
    <message>
        <source>Base of the frequencies in local blocks</source>
        <translation>局部块中频率的基数</translation>
    </message>
    <message>
        <source>Scaling factor of positions</source>
        <translation>位置的缩放因子</translation>
    </message>
    <message>
        <source>Position scaling: none, linear, yarn, longrope</source>
        <translation>位置缩放：none、linear、yarn、longrope</translation>
    </message>
    <message>
        <source>Growth of the base with the context</source>
        <translation>基数随上下文的增长</translation>
    </message>
    <message>
        <source>Factor of attention scores with scaled positions</source>
        <translation>位置缩放时注意力分数的因子</translation>
    </message>
    <message>
        <source>Context length before scaling</source>
        <translation>缩放前的上下文长度</translation>
    </message>
    <message>
        <source>Trained with the scaled positions</source>
        <translation>训练时已使用缩放的位置</translation>
    </message>
    <message>
        <source>YaRN: multiplier of the logarithm</source>
        <translation>YaRN：对数的乘数</translation>
    </message>
    <message>
        <source>YaRN: extrapolation factor</source>
        <translation>YaRN：外推因子</translation>
    </message>
    <message>
        <source>YaRN: factor of attention scores</source>
        <translation>YaRN：注意力分数的因子</translation>
    </message>
    <message>
        <source>YaRN: rotations above which frequencies are kept</source>
        <translation>YaRN：旋转圈数高于此值时保留频率</translation>
    </message>
    <message>
        <source>YaRN: rotations below which frequencies are interpolated</source>
        <translation>YaRN：旋转圈数低于此值时对频率插值</translation>
    </message>
    <message>
        <source>Width of the state space&apos;s input</source>
        <translation>状态空间输入的宽度</translation>
    </message>
    <message>
        <source>States for each channel</source>
        <translation>每个通道的状态数</translation>
    </message>
    <message>
        <source>Rank of the time step</source>
        <translation>时间步的秩</translation>
    </message>
    <message>
        <source>Groups of channels that share matrices</source>
        <translation>共用矩阵的通道组数</translation>
    </message>
    <message>
        <source>Norm of step, input and output matrices</source>
        <translation>对步长、输入和输出矩阵归一化</translation>
    </message>
    <message>
        <source>xIELU: slope of the positive side</source>
        <translation>xIELU：正侧斜率</translation>
    </message>
    <message>
        <source>xIELU: slope of the negative side</source>
        <translation>xIELU：负侧斜率</translation>
    </message>
    <message>
        <source>xIELU: linear part</source>
        <translation>xIELU：线性部分</translation>
    </message>
    <message>
        <source>xIELU: lower limit</source>
        <translation>xIELU：下限</translation>
    </message>
    <message>
        <source>Logits belong to the preceding token</source>
        <translation>logits 属于前一个词元</translation>
    </message>
    <message>
        <source>Kind of tokenizer</source>
        <translation>分词器的种类</translation>
    </message>
    <message>
        <source>How text is split before merging</source>
        <translation>合并之前如何拆分文本</translation>
    </message>
    <message>
        <source>The vocabulary, by id</source>
        <translation>词表，按 ID 排列</translation>
    </message>
    <message>
        <source>Type of each token</source>
        <translation>各词元的类型</translation>
    </message>
    <message>
        <source>Number of segment types</source>
        <translation>片段类型的数量</translation>
    </message>
    <message>
        <source>Score of each token</source>
        <translation>各词元的分数</translation>
    </message>
    <message>
        <source>Merge rules of byte-pair encoding, in order of rank</source>
        <translation>字节对编码的合并规则，按优先级排列</translation>
    </message>
    <message>
        <source>Tokens added after training</source>
        <translation>训练后添加的词元</translation>
    </message>
    <message>
        <source>Token id: beginning of text</source>
        <translation>词元 ID：文本开头</translation>
    </message>
    <message>
        <source>Token id: end of text</source>
        <translation>词元 ID：文本结尾</translation>
    </message>
    <message>
        <source>Token id: end of turn</source>
        <translation>词元 ID：轮次结尾</translation>
    </message>
    <message>
        <source>Token id: end of message</source>
        <translation>词元 ID：消息结尾</translation>
    </message>
    <message>
        <source>Token id: unknown text</source>
        <translation>词元 ID：未知文本</translation>
    </message>
    <message>
        <source>Token id: separator</source>
        <translation>词元 ID：分隔符</translation>
    </message>
    <message>
        <source>Token id: padding</source>
        <translation>词元 ID：填充</translation>
    </message>
    <message>
        <source>Token id: class</source>
        <translation>词元 ID：分类</translation>
    </message>
    <message>
        <source>Token id: mask</source>
        <translation>词元 ID：掩码</translation>
    </message>
    <message>
        <source>Token id: fill-in: before the gap</source>
        <translation>词元 ID：填空（空缺之前）</translation>
    </message>
    <message>
        <source>Token id: fill-in: after the gap</source>
        <translation>词元 ID：填空（空缺之后）</translation>
    </message>
    <message>
        <source>Token id: fill-in: the gap</source>
        <translation>词元 ID：填空（空缺处）</translation>
    </message>
    <message>
        <source>Token id: fill-in: padding</source>
        <translation>词元 ID：填空（填充）</translation>
    </message>
    <message>
        <source>Token id: fill-in: repository</source>
        <translation>词元 ID：填空（仓库）</translation>
    </message>
    <message>
        <source>Token id: fill-in: file separator</source>
        <translation>词元 ID：填空（文件分隔符）</translation>
    </message>
    <message>
        <source>Token ids: all that end the text</source>
        <translation>词元 ID：所有结束文本的词元</translation>
    </message>
    <message>
        <source>Token ids that are never generated</source>
        <translation>从不生成的词元 ID</translation>
    </message>
    <message>
        <source>Add the beginning-of-text token</source>
        <translation>添加文本开头词元</translation>
    </message>
    <message>
        <source>Add the end-of-text token</source>
        <translation>添加文本结尾词元</translation>
    </message>
    <message>
        <source>Add a separator token between texts</source>
        <translation>在文本之间添加分隔符词元</translation>
    </message>
    <message>
        <source>Add a space at the beginning of a text</source>
        <translation>在文本开头添加空格</translation>
    </message>
    <message>
        <source>Repeated spaces are dropped</source>
        <translation>丢弃重复的空格</translation>
    </message>
    <message>
        <source>Compiled normalisation of characters</source>
        <translation>编译后的字符规范化</translation>
    </message>
    <message>
        <source>Text is made lower case</source>
        <translation>将文本转为小写</translation>
    </message>
    <message>
        <source>The whole tokenizer.json of Hugging Face</source>
        <translation>Hugging Face 的完整 tokenizer.json</translation>
    </message>
    <message>
        <source>The whole vocabulary of RWKV World</source>
        <translation>RWKV World 的完整词表</translation>
    </message>
    <message>
        <source>Template of conversations (Jinja)</source>
        <translation>对话的模板（Jinja）</translation>
    </message>
    <message>
        <source>Template of conversations for a purpose (Jinja)</source>
        <translation>特定用途的对话模板（Jinja）</translation>
    </message>
    <message>
        <source>Names of the further templates</source>
        <translation>其他模板的名称</translation>
    </message>
    <message>
        <source>Number of this part, from 0</source>
        <translation>此分片的编号，从 0 开始</translation>
    </message>
    <message>
        <source>Number of parts</source>
        <translation>分片的数量</translation>
    </message>
    <message>
        <source>Tensors in all parts</source>
        <translation>所有分片的张量总数</translation>
    </message>
    <message>
        <source>Kind of adapter</source>
        <translation>适配器的种类</translation>
    </message>
    <message>
        <source>Strength of the adapter: alpha over rank</source>
        <translation>适配器的强度：alpha 除以秩</translation>
    </message>
    <message>
        <source>Task of the adapter</source>
        <translation>适配器的任务</translation>
    </message>
    <message>
        <source>Text that the adapter expects first</source>
        <translation>适配器要求放在最前的文本</translation>
    </message>
    <message>
        <source>Tokens that activate the adapter</source>
        <translation>激活适配器的词元</translation>
    </message>
    <message>
        <source>Types by which the file was quantised: lines of REGEX = TYPE</source>
        <translation>文件量化所用的类型：由 REGEX = TYPE 组成的行</translation>
    </message>
    <message>
        <source>Importance matrix that quantisation used</source>
        <translation>量化所用的重要性矩阵</translation>
    </message>
    <message>
        <source>Text that the importance matrix was made from</source>
        <translation>制作重要性矩阵所用的文本</translation>
    </message>
    <message>
        <source>Tensors in the importance matrix</source>
        <translation>重要性矩阵中的张量数</translation>
    </message>
    <message>
        <source>Chunks of text in the importance matrix</source>
        <translation>重要性矩阵所用的文本段数</translation>
    </message>
    <message>
        <source>Texts that the importance matrix was made from</source>
        <translation>制作重要性矩阵所用的各文本</translation>
    </message>
    <message>
        <source>Chunks of text</source>
        <translation>文本段数</translation>
    </message>
    <message>
        <source>Tokens in a chunk</source>
        <translation>每个文本段的词元数</translation>
    </message>
    <message>
        <source>Kind of training</source>
        <translation>训练的种类</translation>
    </message>
    <message>
        <source>Version of the training file</source>
        <translation>训练文件的版本</translation>
    </message>
    <message>
        <source>Iterations so far</source>
        <translation>已完成的迭代次数</translation>
    </message>
    <message>
        <source>Samples so far</source>
        <translation>已处理的样本数</translation>
    </message>
    <message>
        <source>Tokens so far</source>
        <translation>已处理的词元数</translation>
    </message>
    <message>
        <source>Epochs so far</source>
        <translation>已完成的训练轮数</translation>
    </message>
    <message>
        <source>Rank of an adapter in training</source>
        <translation>训练中适配器的秩</translation>
    </message>
    <message>
        <source>Kind of optimiser</source>
        <translation>优化器的种类</translation>
    </message>
    <message>
        <source>Version of the optimiser&apos;s state</source>
        <translation>优化器状态的版本</translation>
    </message>
    <message>
        <source>Reserved space, so that later edits need not move the weights</source>
        <translation>预留空间，使以后的编辑无需移动权重</translation>
    </message>
    <message>
        <source>Has an image encoder</source>
        <translation>含有图像编码器</translation>
    </message>
    <message>
        <source>Has an audio encoder</source>
        <translation>含有音频编码器</translation>
    </message>
    <message>
        <source>Has a text encoder</source>
        <translation>含有文本编码器</translation>
    </message>
    <message>
        <source>Has a projector as in LLaVA</source>
        <translation>含有 LLaVA 式的投影器</translation>
    </message>
    <message>
        <source>Kind of projector</source>
        <translation>投影器的种类</translation>
    </message>
    <message>
        <source>Activation is GELU</source>
        <translation>激活函数为 GELU</translation>
    </message>
    <message>
        <source>Activation is SiLU</source>
        <translation>激活函数为 SiLU</translation>
    </message>
    <message>
        <source>Version of MiniCPM-V</source>
        <translation>MiniCPM-V 的版本</translation>
    </message>
    <message>
        <source>Queries of the resampler</source>
        <translation>重采样器的查询数</translation>
    </message>
    <message>
        <source>Kind of projector for images</source>
        <translation>图像投影器的种类</translation>
    </message>
    <message>
        <source>Side of the input image in pixels</source>
        <translation>输入图像的边长，以像素为单位</translation>
    </message>
    <message>
        <source>Fewest pixels of an image</source>
        <translation>图像的最少像素数</translation>
    </message>
    <message>
        <source>Most pixels of an image</source>
        <translation>图像的最多像素数</translation>
    </message>
    <message>
        <source>Fewest tiles of an image</source>
        <translation>图像的最少图块数</translation>
    </message>
    <message>
        <source>Most tiles of an image</source>
        <translation>图像的最多图块数</translation>
    </message>
    <message>
        <source>Side of a tile in pixels</source>
        <translation>图块的边长，以像素为单位</translation>
    </message>
    <message>
        <source>Side of a patch in pixels</source>
        <translation>图像块（patch）的边长，以像素为单位</translation>
    </message>
    <message>
        <source>Width of the image encoder</source>
        <translation>图像编码器的宽度</translation>
    </message>
    <message>
        <source>Width of the encoder&apos;s feed-forward</source>
        <translation>编码器前馈的宽度</translation>
    </message>
    <message>
        <source>Width after the projector</source>
        <translation>投影器之后的宽度</translation>
    </message>
    <message>
        <source>Blocks of the image encoder</source>
        <translation>图像编码器的块数</translation>
    </message>
    <message>
        <source>Mean of each colour</source>
        <translation>各颜色的均值</translation>
    </message>
    <message>
        <source>Deviation of each colour</source>
        <translation>各颜色的标准差</translation>
    </message>
    <message>
        <source>Patches joined along a side</source>
        <translation>沿一边合并的图像块数</translation>
    </message>
    <message>
        <source>Interval of the blocks that attend to the whole image</source>
        <translation>关注整幅图像的块的间隔</translation>
    </message>
    <message>
        <source>Blocks that attend to the whole image</source>
        <translation>关注整幅图像的块</translation>
    </message>
    <message>
        <source>Blocks whose features go to the model</source>
        <translation>将特征传给模型的块</translation>
    </message>
    <message>
        <source>Side of an attention window in pixels</source>
        <translation>注意力窗口的边长，以像素为单位</translation>
    </message>
    <message>
        <source>Attention heads of the image encoder</source>
        <translation>图像编码器的注意力头数</translation>
    </message>
    <message>
        <source>Key and value heads of the image encoder</source>
        <translation>图像编码器的键值头数</translation>
    </message>
    <message>
        <source>Epsilon of the encoder&apos;s norms</source>
        <translation>编码器归一化的 epsilon</translation>
    </message>
    <message>
        <source>Patches that the projector joins along a side</source>
        <translation>投影器沿一边合并的图像块数</translation>
    </message>
    <message>
        <source>Blocks whose output is used</source>
        <translation>使用其输出的块</translation>
    </message>
    <message>
        <source>How tiles of an image are joined</source>
        <translation>图像的图块如何拼接</translation>
    </message>
    <message>
        <source>Resolutions of tiled images</source>
        <translation>切分为图块的图像的分辨率</translation>
    </message>
    <message>
        <source>Side of a crop in pixels</source>
        <translation>裁剪后图像的边长，以像素为单位</translation>
    </message>
    <message>
        <source>Blocks of the SAM encoder</source>
        <translation>SAM 编码器的块数</translation>
    </message>
    <message>
        <source>Width of the SAM encoder</source>
        <translation>SAM 编码器的宽度</translation>
    </message>
    <message>
        <source>Attention heads of the SAM encoder</source>
        <translation>SAM 编码器的注意力头数</translation>
    </message>
    <message>
        <source>Kind of projector for audio</source>
        <translation>音频投影器的种类</translation>
    </message>
    <message>
        <source>Mel bands</source>
        <translation>梅尔频带数</translation>
    </message>
    <message>
        <source>Width of the audio encoder</source>
        <translation>音频编码器的宽度</translation>
    </message>
    <message>
        <source>Blocks of the audio encoder</source>
        <translation>音频编码器的块数</translation>
    </message>
    <message>
        <source>Frames stacked into one</source>
        <translation>叠成一帧的帧数</translation>
    </message>
    <message>
        <source>Attention heads of the audio encoder</source>
        <translation>音频编码器的注意力头数</translation>
    </message>
    <message>
        <source>Frames that the projector joins</source>
        <translation>投影器合并的帧数</translation>
    </message>
    <message>
        <source>Context of the text encoder</source>
        <translation>文本编码器的上下文</translation>
    </message>
    <message>
        <source>Width of the text encoder</source>
        <translation>文本编码器的宽度</translation>
    </message>
    <message>
        <source>Width of the text encoder&apos;s feed-forward</source>
        <translation>文本编码器前馈的宽度</translation>
    </message>
    <message>
        <source>Blocks of the text encoder</source>
        <translation>文本编码器的块数</translation>
    </message>
    <message>
        <source>Width after the text projection</source>
        <translation>文本投影之后的宽度</translation>
    </message>
    <message>
        <source>Attention heads of the text encoder</source>
        <translation>文本编码器的注意力头数</translation>
    </message>
    <message>
        <source>Epsilon of the text encoder&apos;s norms</source>
        <translation>文本编码器归一化的 epsilon</translation>
    </message>
    <message>
        <source>The model as a whole</source>
        <translation>模型整体</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>What the file was made from</source>
        <translation>文件的来源</translation>
    </message>
    <message>
        <source>What the file was made from, on Hugging Face</source>
        <translation>文件在 Hugging Face 上的来源</translation>
    </message>
    <message>
        <source>Models that this one is based on</source>
        <translation>此模型基于的模型</translation>
    </message>
    <message>
        <source>One of the base models</source>
        <translation>基础模型之一</translation>
    </message>
    <message>
        <source>One of the data sets</source>
        <translation>数据集之一</translation>
    </message>
    <message>
        <source>Sampling settings recommended by the authors</source>
        <translation>作者推荐的采样设置</translation>
    </message>
    <message>
        <source>Hyper-parameters of the architecture</source>
        <translation>架构的超参数</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Selection of the tokens for sparse attention</source>
        <translation>稀疏注意力的词元选择</translation>
    </message>
    <message>
        <source>Rotary positions</source>
        <translation>旋转位置</translation>
    </message>
    <message>
        <source>Diffusion</source>
        <translation>扩散</translation>
    </message>
    <message>
        <source>Rotary positions of local blocks</source>
        <translation>局部块的旋转位置</translation>
    </message>
    <message>
        <source>Scaling of positions for longer contexts</source>
        <translation>用于更长上下文的位置缩放</translation>
    </message>
    <message>
        <source>State spaces</source>
        <translation>状态空间</translation>
    </message>
    <message>
        <source>Time mix of RWKV</source>
        <translation>RWKV 的时间混合</translation>
    </message>
    <message>
        <source>Linear attention</source>
        <translation>线性注意力</translation>
    </message>
    <message>
        <source>Short convolutions</source>
        <translation>短卷积</translation>
    </message>
    <message>
        <source>Alternating updates</source>
        <translation>交替更新</translation>
    </message>
    <message>
        <source>Classifier</source>
        <translation>分类器</translation>
    </message>
    <message>
        <source>Position network</source>
        <translation>位置网络</translation>
    </message>
    <message>
        <source>ConvNeXt network</source>
        <translation>ConvNeXt 网络</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Attention of the encoder</source>
        <translation>编码器的注意力</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Attention of the decoder</source>
        <translation>解码器的注意力</translation>
    </message>
    <message>
        <source>Image encoder</source>
        <translation>图像编码器</translation>
    </message>
    <message>
        <source>Attention of the image encoder</source>
        <translation>图像编码器的注意力</translation>
    </message>
    <message>
        <source>Image projector</source>
        <translation>图像投影器</translation>
    </message>
    <message>
        <source>SAM encoder</source>
        <translation>SAM 编码器</translation>
    </message>
    <message>
        <source>Audio encoder</source>
        <translation>音频编码器</translation>
    </message>
    <message>
        <source>Attention of the audio encoder</source>
        <translation>音频编码器的注意力</translation>
    </message>
    <message>
        <source>Audio projector</source>
        <translation>音频投影器</translation>
    </message>
    <message>
        <source>Text encoder</source>
        <translation>文本编码器</translation>
    </message>
    <message>
        <source>Attention of the text encoder</source>
        <translation>文本编码器的注意力</translation>
    </message>
    <message>
        <source>Tokenizer and chat template</source>
        <translation>分词器与聊天模板</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Normalisation of text</source>
        <translation>文本的规范化</translation>
    </message>
    <message>
        <source>Tokenizer of Hugging Face</source>
        <translation>Hugging Face 的分词器</translation>
    </message>
    <message>
        <source>Tokenizer of RWKV</source>
        <translation>RWKV 的分词器</translation>
    </message>
    <message>
        <source>Further chat templates</source>
        <translation>其他聊天模板</translation>
    </message>
    <message>
        <source>Vocabulary, as the draft of version 1 had it</source>
        <translation>词表，采用版本 1 草案的形式</translation>
    </message>
    <message>
        <source>Parts of a model in several files</source>
        <translation>多文件模型的分片</translation>
    </message>
    <message>
        <source>Tensors of all parts</source>
        <translation>所有分片的张量</translation>
    </message>
    <message>
        <source>Adapter of a model</source>
        <translation>模型的适配器</translation>
    </message>
    <message>
        <source>Low-rank adapter</source>
        <translation>低秩适配器</translation>
    </message>
    <message>
        <source>Activated low-rank adapter</source>
        <translation>可激活的低秩适配器</translation>
    </message>
    <message>
        <source>How the file was quantised</source>
        <translation>文件的量化方式</translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation>重要性矩阵</translation>
    </message>
    <message>
        <source>State of a training</source>
        <translation>训练的状态</translation>
    </message>
    <message>
        <source>Adapter in training</source>
        <translation>训练中的适配器</translation>
    </message>
    <message>
        <source>Ranks of an adapter in training</source>
        <translation>训练中适配器的各个秩</translation>
    </message>
    <message>
        <source>State of the optimiser</source>
        <translation>优化器的状态</translation>
    </message>
    <message>
        <source>xIELU activation</source>
        <translation>xIELU 激活函数</translation>
    </message>
    <message>
        <source>Gufo</source>
        <translation>Gufo</translation>
    </message>
</context>
<context>
    <name>Pairing</name>
    <message>
        <source>a file of the kind &quot;%1&quot; and one of the kind &quot;%2&quot; are not used together</source>
        <translation>“%1”类文件与“%2”类文件不能一起使用</translation>
    </message>
    <message>
        <source>Choose a model, and a projector, an adapter, an importance matrix or a draft model for it.</source>
        <translation>请选择一个模型，以及与之配套的投影器、适配器、重要性矩阵或草稿模型。</translation>
    </message>
    <message>
        <source>%1 is not complete: %2</source>
        <translation>%1 不完整：%2</translation>
    </message>
    <message>
        <source>Put all parts into one folder, under the names that they were given.</source>
        <translation>将所有分片以原来的名称放入同一文件夹。</translation>
    </message>
    <message>
        <source>the adapter cannot be applied: %1</source>
        <translation>无法应用适配器：%1</translation>
    </message>
    <message>
        <source>Take the adapter for this model, or the model that it was trained for.</source>
        <translation>请使用针对此模型的适配器，或训练该适配器所用的模型。</translation>
    </message>
    <message>
        <source>it changes %1 matrices, with a rank of up to %2</source>
        <translation>它更改 %1 个矩阵，秩最大为 %2</translation>
    </message>
    <message>
        <source>%1 of its %2 matrices do not fit; the first is %3: %4</source>
        <translation>它的 %2 个矩阵中有 %1 个不符；第一个是 %3：%4</translation>
    </message>
    <message>
        <source>the adapter has no matrix</source>
        <translation>适配器没有矩阵</translation>
    </message>
    <message>
        <source>Convert the adapter again.</source>
        <translation>重新转换适配器。</translation>
    </message>
    <message>
        <source>the projector (%1) writes embeddings of %2 elements, as the model reads them</source>
        <translation>投影器（%1）写出 %2 个元素的嵌入，与模型读取的一致</translation>
    </message>
    <message>
        <source>the projector writes embeddings of %1 elements, but the model reads %2</source>
        <translation>投影器写出 %1 个元素的嵌入，但模型读取 %2 个</translation>
    </message>
    <message>
        <source>Take the projector that was published with this size of the model.</source>
        <translation>请使用与此规模的模型一同发布的投影器。</translation>
    </message>
    <message>
        <source>the width that a projector of the type %1 writes is not known, so it was not compared</source>
        <translation>不知道 %1 类型的投影器写出的宽度，因此没有比较</translation>
    </message>
    <message>
        <source>Take both files from one repository.</source>
        <translation>请从同一仓库获取两个文件。</translation>
    </message>
    <message>
        <source>a projector of the type %1 belongs to models of the architecture %2, and this is %3; answers about pictures would be nonsense</source>
        <translation>%1 类型的投影器属于架构 %2 的模型，而此模型为 %3；关于图片的回答会毫无意义</translation>
    </message>
    <message>
        <source>Take the projector that was published with the model.</source>
        <translation>请使用与该模型一同发布的投影器。</translation>
    </message>
    <message>
        <source>the model&apos;s vocabulary has no token %1, which stands before or after a picture, so that it becomes plain text</source>
        <translation>模型的词表中没有词元 %1（它位于图片之前或之后），因此它会变成普通文本</translation>
    </message>
    <message>
        <source>Take a model that was trained with pictures.</source>
        <translation>请使用用图片训练过的模型。</translation>
    </message>
    <message>
        <source>all %1 entries of the importance matrix are for tensors of the model, and none is missing</source>
        <translation>重要性矩阵的 %1 个条目全部对应模型的张量，没有遗漏</translation>
    </message>
    <message>
        <source>the importance matrix cannot be used: %1</source>
        <translation>无法使用重要性矩阵：%1</translation>
    </message>
    <message>
        <source>Measure it again: gufo-cli imatrix MODEL TEXT -o OUT.</source>
        <translation>重新测量：gufo-cli imatrix MODEL TEXT -o OUT。</translation>
    </message>
    <message>
        <source>no entry of the importance matrix is for a tensor of the model</source>
        <translation>重要性矩阵没有一个条目对应模型的张量</translation>
    </message>
    <message>
        <source>Measure it with this model: gufo-cli imatrix MODEL TEXT -o OUT.</source>
        <translation>请用此模型测量：gufo-cli imatrix MODEL TEXT -o OUT。</translation>
    </message>
    <message>
        <source>entries whose tensor has another shape: %1, the first is %2</source>
        <translation>对应张量形状不同的条目：%1 个，第一个是 %2</translation>
    </message>
    <message>
        <source>tensors without an entry, which would be quantised without importance: %1, the first is %2</source>
        <translation>没有条目的张量，量化时不考虑重要性：%1 个，第一个是 %2</translation>
    </message>
    <message>
        <source>Measure it with the same conversion of the model, or with a longer text.</source>
        <translation>请用模型的同一次转换结果或更长的文本测量。</translation>
    </message>
    <message>
        <source>entries without a tensor, which are ignored: %1, the first is %2</source>
        <translation>没有张量的条目，将被忽略：%1 个，第一个是 %2</translation>
    </message>
    <message>
        <source>entries without values, because no token reached their tensors: %1, the first is %2</source>
        <translation>因没有词元到达其张量而没有值的条目：%1 个，第一个是 %2</translation>
    </message>
    <message>
        <source>Measure it with a longer text.</source>
        <translation>请用更长的文本测量。</translation>
    </message>
    <message>
        <source>all %1 token ids that both have mean the same text</source>
        <translation>两者共有的 %1 个词元 ID 全部表示相同的文本</translation>
    </message>
    <message>
        <source>%1 has no vocabulary that can be read</source>
        <translation>%1 没有可读取的词表</translation>
    </message>
    <message>
        <source>Convert the model again, with its tokenizer files.</source>
        <translation>连同分词器文件重新转换模型。</translation>
    </message>
    <message>
        <source>token %1 is &quot;%2&quot; in the first model and &quot;%3&quot; in the second</source>
        <translation>词元 %1 在第一个模型中为“%2”，在第二个模型中为“%3”</translation>
    </message>
    <message>
        <source>Take models with the same tokenizer: a smaller model of the same family, or one that was made to draft for it.</source>
        <translation>请使用分词器相同的模型：同一系列的较小模型，或专门作为其草稿模型制作的模型。</translation>
    </message>
    <message>
        <source>the vocabularies have %1 and %2 tokens; ids that only the longer one has are never drafted</source>
        <translation>两个词表分别有 %1 个和 %2 个词元；只有较长词表才有的 ID 不会出现在草稿中</translation>
    </message>
    <message>
        <source>%1 is %2 in the first model and %3 in the second; the text that both evaluate follows the first</source>
        <translation>%1 在第一个模型中为 %2，在第二个模型中为 %3；两者计算的文本以第一个为准</translation>
    </message>
    <message>
        <source>Set the key in the second model as in the first: gufo-cli set FILE KEY=VALUE.</source>
        <translation>在第二个模型中将该键设为与第一个相同：gufo-cli set FILE KEY=VALUE。</translation>
    </message>
    <message>
        <source>both models have about as many weights, so drafting with one for the other gains nothing</source>
        <translation>两个模型的权重数量相近，因此用一个为另一个生成草稿没有收益</translation>
    </message>
    <message>
        <source>Take a smaller model to draft.</source>
        <translation>请用较小的模型作为草稿模型。</translation>
    </message>
    <message>
        <source>the file holds %1 blocks of multi-token prediction of the model&apos;s architecture and width</source>
        <translation>文件含有 %1 个多词元预测块，其架构和宽度与模型一致</translation>
    </message>
    <message>
        <source>the prediction blocks are of the architecture %1, and the model is %2</source>
        <translation>预测块的架构为 %1，而模型为 %2</translation>
    </message>
    <message>
        <source>Take the blocks that were published with the model.</source>
        <translation>请使用与该模型一同发布的块。</translation>
    </message>
    <message>
        <source>the prediction blocks have a width of %1 elements, and the model one of %2</source>
        <translation>预测块的宽度为 %1 个元素，而模型为 %2 个</translation>
    </message>
    <message>
        <source>Take the blocks that were published with this size of the model.</source>
        <translation>请使用与此规模的模型一同发布的块。</translation>
    </message>
    <message>
        <source>%1 has %2 tokens, but its token embeddings have %3 rows</source>
        <translation>%1 有 %2 个词元，但其词元嵌入有 %3 行</translation>
    </message>
    <message>
        <source>Convert the model again, with the tokenizer that belongs to it.</source>
        <translation>使用属于该模型的分词器重新转换。</translation>
    </message>
</context>
<context>
    <name>Recipes</name>
    <message>
        <source>32-bit floats: no loss, but no reduction in size either</source>
        <translation>32 位浮点数：没有损失，但大小也不减少</translation>
    </message>
    <message>
        <source>16-bit floats with the range of F32</source>
        <translation>16 位浮点数，范围与 F32 相同</translation>
    </message>
    <message>
        <source>16-bit floats</source>
        <translation>16 位浮点数</translation>
    </message>
    <message>
        <source>8.5 bits per weight; practically indistinguishable from the original</source>
        <translation>每权重 8.5 位；与原始模型几乎无法区分</translation>
    </message>
    <message>
        <source>6.6 bits per weight; very close to the original</source>
        <translation>每权重 6.6 位；非常接近原始模型</translation>
    </message>
    <message>
        <source>6 bits per weight; older, Q5_K_M is better</source>
        <translation>每权重 6 位；较旧，Q5_K_M 更好</translation>
    </message>
    <message>
        <source>5.5 bits per weight, more for sensitive tensors</source>
        <translation>每权重 5.5 位，敏感张量位数更多</translation>
    </message>
    <message>
        <source>5.5 bits per weight</source>
        <translation>每权重 5.5 位</translation>
    </message>
    <message>
        <source>5.5 bits per weight; older, Q5_K_S is better</source>
        <translation>每权重 5.5 位；较旧，Q5_K_S 更好</translation>
    </message>
    <message>
        <source>5 bits per weight; older, Q4_K_M is better</source>
        <translation>每权重 5 位；较旧，Q4_K_M 更好</translation>
    </message>
    <message>
        <source>4.5 bits per weight, more for sensitive tensors; the usual choice</source>
        <translation>每权重 4.5 位，敏感张量位数更多；通常的选择</translation>
    </message>
    <message>
        <source>4.5 bits per weight</source>
        <translation>每权重 4.5 位</translation>
    </message>
    <message>
        <source>4.5 bits per weight on non-uniform levels</source>
        <translation>每权重 4.5 位，采用非均匀量化级</translation>
    </message>
    <message>
        <source>4.5 bits per weight; older, fast on many processors</source>
        <translation>每权重 4.5 位；较旧，在许多处理器上较快</translation>
    </message>
    <message>
        <source>4.25 bits per weight on non-uniform levels</source>
        <translation>每权重 4.25 位，采用非均匀量化级</translation>
    </message>
    <message>
        <source>experts in 4.25 bits per weight, the rest in Q8_0</source>
        <translation>专家为每权重 4.25 位，其余为 Q8_0</translation>
    </message>
    <message>
        <source>3.4 bits per weight, many more for sensitive tensors</source>
        <translation>每权重 3.4 位，敏感张量位数多得多</translation>
    </message>
    <message>
        <source>3.4 bits per weight, more for sensitive tensors</source>
        <translation>每权重 3.4 位，敏感张量位数更多</translation>
    </message>
    <message>
        <source>3.4 bits per weight</source>
        <translation>每权重 3.4 位</translation>
    </message>
    <message>
        <source>2.6 bits per weight, more for sensitive tensors; high loss</source>
        <translation>每权重 2.6 位，敏感张量位数更多；损失大</translation>
    </message>
    <message>
        <source>2.6 bits per weight; high loss</source>
        <translation>每权重 2.6 位；损失大</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has no effect, because earlier patterns decide about all tensors it matches.</source>
        <translation>“%1”不起作用，因为前面的模式已决定了它所匹配的全部张量。</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors that are usually not quantised change their type (%1). Other programs may be unable to run the file.</source>
        <translation>
            <numerusform>有 %n 个通常不量化的张量会更改类型（%1）。其他程序可能无法运行该文件。</numerusform>
        </translation>
    </message>
    <message>
        <source>The importance matrix has no effect on any tensor of this file.</source>
        <translation>重要性矩阵对此文件的任何张量都不起作用。</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors are quantised without importance, because the importance matrix has no values for them: %1.</source>
        <translation>
            <numerusform>有 %n 个张量会在不考虑重要性的情况下量化，因为重要性矩阵没有它们的值：%1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The importance matrix has no values for some experts of %n tensors: %1.</source>
        <translation>
            <numerusform>重要性矩阵缺少 %n 个张量中部分专家的值：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>3.4 bits per weight on non-uniform levels, more for sensitive tensors</source>
        <translation>每权重 3.4 位，采用非均匀量化级，敏感张量位数更多</translation>
    </message>
    <message>
        <source>3.4 bits per weight on non-uniform levels</source>
        <translation>每权重 3.4 位，采用非均匀量化级</translation>
    </message>
    <message>
        <source>3.4 bits per weight, fewer for insensitive tensors</source>
        <translation>每权重 3.4 位，不敏感张量位数更少</translation>
    </message>
    <message>
        <source>3.1 bits per weight; needs an importance matrix</source>
        <translation>每权重 3.1 位；需要重要性矩阵</translation>
    </message>
    <message>
        <source>2.6 bits per weight, more for sensitive tensors; needs an importance matrix</source>
        <translation>每权重 2.6 位，敏感张量位数更多；需要重要性矩阵</translation>
    </message>
    <message>
        <source>2.3 bits per weight, more for sensitive tensors; needs an importance matrix</source>
        <translation>每权重 2.3 位，敏感张量位数更多；需要重要性矩阵</translation>
    </message>
    <message>
        <source>2.3 bits per weight; high loss, needs an importance matrix</source>
        <translation>每权重 2.3 位；损失大，需要重要性矩阵</translation>
    </message>
    <message>
        <source>2.1 bits per weight; high loss, needs an importance matrix</source>
        <translation>每权重 2.1 位；损失大，需要重要性矩阵</translation>
    </message>
    <message>
        <source>2.1 bits per weight, for models trained with ternary weights</source>
        <translation>每权重 2.1 位，用于以三值权重训练的模型</translation>
    </message>
    <message>
        <source>1.75 bits per weight; very high loss, needs an importance matrix</source>
        <translation>每权重 1.75 位；损失极大，需要重要性矩阵</translation>
    </message>
    <message>
        <source>1.7 bits per weight, for models trained with ternary weights</source>
        <translation>每权重 1.7 位，用于以三值权重训练的模型</translation>
    </message>
    <message>
        <source>1.6 bits per weight; very high loss, needs an importance matrix</source>
        <translation>每权重 1.6 位；损失极大，需要重要性矩阵</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors get a type of so few bits that the model is likely to be useless without an importance matrix with values for them (%1).</source>
        <translation>
            <numerusform>有 %n 个张量采用位数极少的类型，如果没有含其值的重要性矩阵，模型很可能无法使用（%1）。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Roles</name>
    <message>
        <source>Token embedding</source>
        <translation>词元嵌入</translation>
    </message>
    <message>
        <source>Embedding of segment types</source>
        <translation>片段类型的嵌入</translation>
    </message>
    <message>
        <source>Learned position embedding</source>
        <translation>学习得到的位置嵌入</translation>
    </message>
    <message>
        <source>Norm after the token embedding</source>
        <translation>词元嵌入后的归一化</translation>
    </message>
    <message>
        <source>Token embedding for each block</source>
        <translation>各块的词元嵌入</translation>
    </message>
    <message>
        <source>Projection to the embeddings of the blocks</source>
        <translation>到块嵌入的投影</translation>
    </message>
    <message>
        <source>Norm of the embeddings of the blocks</source>
        <translation>块嵌入的归一化</translation>
    </message>
    <message>
        <source>Projection to alternating-update streams</source>
        <translation>到交替更新流的投影</translation>
    </message>
    <message>
        <source>Factors of RoPE frequencies</source>
        <translation>RoPE 频率的因子</translation>
    </message>
    <message>
        <source>RoPE factors for long contexts</source>
        <translation>长上下文的 RoPE 因子</translation>
    </message>
    <message>
        <source>RoPE factors for short contexts</source>
        <translation>短上下文的 RoPE 因子</translation>
    </message>
    <message>
        <source>Input convolution</source>
        <translation>输入卷积</translation>
    </message>
    <message>
        <source>Embedding of the class token</source>
        <translation>分类词元的嵌入</translation>
    </message>
    <message>
        <source>Embedding of image patches</source>
        <translation>图像块的嵌入</translation>
    </message>
    <message>
        <source>Norm of the patch embedding</source>
        <translation>图像块嵌入的归一化</translation>
    </message>
    <message>
        <source>Norm of the position embedding</source>
        <translation>位置嵌入的归一化</translation>
    </message>
    <message>
        <source>Norm before the encoder&apos;s blocks</source>
        <translation>编码器各块之前的归一化</translation>
    </message>
    <message>
        <source>Embedding that ends a row of an image</source>
        <translation>结束图像一行的嵌入</translation>
    </message>
    <message>
        <source>Embedding between views of an image</source>
        <translation>图像各视图之间的嵌入</translation>
    </message>
    <message>
        <source>Embedding that ends a row of patches</source>
        <translation>结束一行图像块的嵌入</translation>
    </message>
    <message>
        <source>Embedding that begins an image</source>
        <translation>开始图像的嵌入</translation>
    </message>
    <message>
        <source>Embedding that ends an image</source>
        <translation>结束图像的嵌入</translation>
    </message>
    <message>
        <source>Offset of the input standardisation</source>
        <translation>输入标准化的偏移</translation>
    </message>
    <message>
        <source>Scale of the input standardisation</source>
        <translation>输入标准化的缩放因子</translation>
    </message>
    <message>
        <source>Convolution of the stem</source>
        <translation>起始层（stem）的卷积</translation>
    </message>
    <message>
        <source>Batch norm of the stem</source>
        <translation>起始层（stem）的批归一化</translation>
    </message>
    <message>
        <source>Embedding to logits of audio codes</source>
        <translation>从嵌入到音频码 logits</translation>
    </message>
    <message>
        <source>Mel filter bank</source>
        <translation>梅尔滤波器组</translation>
    </message>
    <message>
        <source>Window of the Fourier transform</source>
        <translation>傅里叶变换的窗</translation>
    </message>
    <message>
        <source>Convolution over time</source>
        <translation>沿时间的卷积</translation>
    </message>
    <message>
        <source>Norm after the convolution</source>
        <translation>卷积后的归一化</translation>
    </message>
    <message>
        <source>Convolution over time and frequency</source>
        <translation>沿时间和频率的卷积</translation>
    </message>
    <message>
        <source>Output of the convolutions</source>
        <translation>卷积的输出</translation>
    </message>
    <message>
        <source>Projection of the input</source>
        <translation>输入的投影</translation>
    </message>
    <message>
        <source>Norm before attention</source>
        <translation>注意力前的归一化</translation>
    </message>
    <message>
        <source>Second norm before attention</source>
        <translation>注意力前的第二归一化</translation>
    </message>
    <message>
        <source>Query, compressing half</source>
        <translation>查询，压缩部分</translation>
    </message>
    <message>
        <source>Norm of the compressed query</source>
        <translation>压缩查询的归一化</translation>
    </message>
    <message>
        <source>Query, expanding half</source>
        <translation>查询，展开部分</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Norm of the query heads</source>
        <translation>查询头的归一化</translation>
    </message>
    <message>
        <source>Key and value, compressing half</source>
        <translation>键值，压缩部分</translation>
    </message>
    <message>
        <source>Norm of the compressed key and value</source>
        <translation>压缩键值的归一化</translation>
    </message>
    <message>
        <source>Key and value, expanding half</source>
        <translation>键值，展开部分</translation>
    </message>
    <message>
        <source>Key, expanding half</source>
        <translation>键，展开部分</translation>
    </message>
    <message>
        <source>Value, expanding half</source>
        <translation>值，展开部分</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Norm of the key heads</source>
        <translation>键头的归一化</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Query, key and value in one</source>
        <translation>查询、键和值合一</translation>
    </message>
    <message>
        <source>Rotary frequencies</source>
        <translation>旋转频率</translation>
    </message>
    <message>
        <source>Relative position bias</source>
        <translation>相对位置偏置</translation>
    </message>
    <message>
        <source>Relative position keys</source>
        <translation>相对位置的键</translation>
    </message>
    <message>
        <source>Attention sinks</source>
        <translation>注意力汇点</translation>
    </message>
    <message>
        <source>Gate of the attention output</source>
        <translation>注意力输出的门控</translation>
    </message>
    <message>
        <source>Norm before the attention output</source>
        <translation>注意力输出前的归一化</translation>
    </message>
    <message>
        <source>Attention output</source>
        <translation>注意力输出</translation>
    </message>
    <message>
        <source>Norm after attention</source>
        <translation>注意力后的归一化</translation>
    </message>
    <message>
        <source>Norm of the attention output</source>
        <translation>注意力输出的归一化</translation>
    </message>
    <message>
        <source>Scale of each query dimension</source>
        <translation>各查询维度的缩放因子</translation>
    </message>
    <message>
        <source>Scale of each key dimension</source>
        <translation>各键维度的缩放因子</translation>
    </message>
    <message>
        <source>Projection of relative positions</source>
        <translation>相对位置的投影</translation>
    </message>
    <message>
        <source>Content bias of relative positions</source>
        <translation>相对位置的内容偏置</translation>
    </message>
    <message>
        <source>Position bias of relative positions</source>
        <translation>相对位置的位置偏置</translation>
    </message>
    <message>
        <source>Relative positions by height</source>
        <translation>高度方向的相对位置</translation>
    </message>
    <message>
        <source>Relative positions by width</source>
        <translation>宽度方向的相对位置</translation>
    </message>
    <message>
        <source>Query, key and value for images</source>
        <translation>图像的查询、键和值</translation>
    </message>
    <message>
        <source>Attention output for images</source>
        <translation>图像的注意力输出</translation>
    </message>
    <message>
        <source>Norm of the indexer&apos;s keys</source>
        <translation>索引器键的归一化</translation>
    </message>
    <message>
        <source>Weights of the indexer&apos;s heads</source>
        <translation>索引器各头的权重</translation>
    </message>
    <message>
        <source>Keys of the indexer</source>
        <translation>索引器的键</translation>
    </message>
    <message>
        <source>Queries of the indexer</source>
        <translation>索引器的查询</translation>
    </message>
    <message>
        <source>Norm before cross-attention</source>
        <translation>交叉注意力前的归一化</translation>
    </message>
    <message>
        <source>Query of cross-attention</source>
        <translation>交叉注意力的查询</translation>
    </message>
    <message>
        <source>Key of cross-attention</source>
        <translation>交叉注意力的键</translation>
    </message>
    <message>
        <source>Value of cross-attention</source>
        <translation>交叉注意力的值</translation>
    </message>
    <message>
        <source>Relative position bias of cross-attention</source>
        <translation>交叉注意力的相对位置偏置</translation>
    </message>
    <message>
        <source>Output of cross-attention</source>
        <translation>交叉注意力的输出</translation>
    </message>
    <message>
        <source>Scale of the attention branch</source>
        <translation>注意力分支的缩放因子</translation>
    </message>
    <message>
        <source>State space: input projection</source>
        <translation>状态空间：输入投影</translation>
    </message>
    <message>
        <source>State space: short convolution</source>
        <translation>状态空间：短卷积</translation>
    </message>
    <message>
        <source>Linear attention: convolution of queries</source>
        <translation>线性注意力：查询的卷积</translation>
    </message>
    <message>
        <source>Linear attention: convolution of keys</source>
        <translation>线性注意力：键的卷积</translation>
    </message>
    <message>
        <source>Linear attention: convolution of values</source>
        <translation>线性注意力：值的卷积</translation>
    </message>
    <message>
        <source>State space: step, input and output matrices from the input</source>
        <translation>状态空间：由输入得出的步长、输入和输出矩阵</translation>
    </message>
    <message>
        <source>Linear attention: beta and alpha</source>
        <translation>线性注意力：beta 和 alpha</translation>
    </message>
    <message>
        <source>Linear attention: alpha</source>
        <translation>线性注意力：alpha</translation>
    </message>
    <message>
        <source>Linear attention: beta</source>
        <translation>线性注意力：beta</translation>
    </message>
    <message>
        <source>Linear attention: forget gate, compressing half</source>
        <translation>线性注意力：遗忘门，压缩部分</translation>
    </message>
    <message>
        <source>Linear attention: forget gate, expanding half</source>
        <translation>线性注意力：遗忘门，展开部分</translation>
    </message>
    <message>
        <source>Linear attention: output gate, compressing half</source>
        <translation>线性注意力：输出门，压缩部分</translation>
    </message>
    <message>
        <source>Linear attention: output gate, expanding half</source>
        <translation>线性注意力：输出门，展开部分</translation>
    </message>
    <message>
        <source>State space: norm of the step</source>
        <translation>状态空间：步长的归一化</translation>
    </message>
    <message>
        <source>State space: norm of the input matrix</source>
        <translation>状态空间：输入矩阵的归一化</translation>
    </message>
    <message>
        <source>State space: norm of the output matrix</source>
        <translation>状态空间：输出矩阵的归一化</translation>
    </message>
    <message>
        <source>State space: time step</source>
        <translation>状态空间：时间步</translation>
    </message>
    <message>
        <source>State space: decay</source>
        <translation>状态空间：衰减</translation>
    </message>
    <message>
        <source>State space: skip connection</source>
        <translation>状态空间：跳跃连接</translation>
    </message>
    <message>
        <source>State space: norm before the output</source>
        <translation>状态空间：输出前的归一化</translation>
    </message>
    <message>
        <source>State space: output projection</source>
        <translation>状态空间：输出投影</translation>
    </message>
    <message>
        <source>Short convolution: input projection</source>
        <translation>短卷积：输入投影</translation>
    </message>
    <message>
        <source>Short convolution</source>
        <translation>短卷积</translation>
    </message>
    <message>
        <source>Short convolution: output projection</source>
        <translation>短卷积：输出投影</translation>
    </message>
    <message>
        <source>Time mix: interpolation of the input</source>
        <translation>时间混合：输入的插值</translation>
    </message>
    <message>
        <source>Time mix: interpolation for the decay</source>
        <translation>时间混合：衰减的插值</translation>
    </message>
    <message>
        <source>Time mix: interpolation for the key</source>
        <translation>时间混合：键的插值</translation>
    </message>
    <message>
        <source>Time mix: interpolation for the value</source>
        <translation>时间混合：值的插值</translation>
    </message>
    <message>
        <source>Time mix: interpolation for the receptance</source>
        <translation>时间混合：接受度的插值</translation>
    </message>
    <message>
        <source>Time mix: interpolation for the gate</source>
        <translation>时间混合：门控的插值</translation>
    </message>
    <message>
        <source>Time mix: all interpolations in one</source>
        <translation>时间混合：所有插值合一</translation>
    </message>
    <message>
        <source>Time mix: base of the decay</source>
        <translation>时间混合：衰减的基值</translation>
    </message>
    <message>
        <source>Time mix: low-rank pair, compressing half</source>
        <translation>时间混合：低秩对，压缩部分</translation>
    </message>
    <message>
        <source>Time mix: low-rank pair, expanding half</source>
        <translation>时间混合：低秩对，展开部分</translation>
    </message>
    <message>
        <source>Time mix: base of the learning rate</source>
        <translation>时间混合：学习率的基值</translation>
    </message>
    <message>
        <source>Time mix: learning rate, compressing half</source>
        <translation>时间混合：学习率，压缩部分</translation>
    </message>
    <message>
        <source>Time mix: learning rate, expanding half</source>
        <translation>时间混合：学习率，展开部分</translation>
    </message>
    <message>
        <source>Time mix: base of the value residual</source>
        <translation>时间混合：值残差的基值</translation>
    </message>
    <message>
        <source>Time mix: value residual, compressing half</source>
        <translation>时间混合：值残差，压缩部分</translation>
    </message>
    <message>
        <source>Time mix: value residual, expanding half</source>
        <translation>时间混合：值残差，展开部分</translation>
    </message>
    <message>
        <source>Time mix: gate, compressing half</source>
        <translation>时间混合：门控，压缩部分</translation>
    </message>
    <message>
        <source>Time mix: gate, expanding half</source>
        <translation>时间混合：门控，展开部分</translation>
    </message>
    <message>
        <source>Time mix: scale of the removal key</source>
        <translation>时间混合：移除键的缩放因子</translation>
    </message>
    <message>
        <source>Time mix: scale of the replacement key</source>
        <translation>时间混合：替换键的缩放因子</translation>
    </message>
    <message>
        <source>Time mix: bonus of the current token</source>
        <translation>时间混合：当前词元的加成</translation>
    </message>
    <message>
        <source>Time mix: decay</source>
        <translation>时间混合：衰减</translation>
    </message>
    <message>
        <source>Time mix: decay, compressing half</source>
        <translation>时间混合：衰减，压缩部分</translation>
    </message>
    <message>
        <source>Time mix: decay, expanding half</source>
        <translation>时间混合：衰减，展开部分</translation>
    </message>
    <message>
        <source>Time mix: receptance</source>
        <translation>时间混合：接受度</translation>
    </message>
    <message>
        <source>Time mix: key</source>
        <translation>时间混合：键</translation>
    </message>
    <message>
        <source>Time mix: value</source>
        <translation>时间混合：值</translation>
    </message>
    <message>
        <source>Time mix: gate</source>
        <translation>时间混合：门控</translation>
    </message>
    <message>
        <source>Time mix: group norm</source>
        <translation>时间混合：组归一化</translation>
    </message>
    <message>
        <source>Time mix: output</source>
        <translation>时间混合：输出</translation>
    </message>
    <message>
        <source>Channel mix: interpolation for the key</source>
        <translation>通道混合：键的插值</translation>
    </message>
    <message>
        <source>Channel mix: interpolation for the receptance</source>
        <translation>通道混合：接受度的插值</translation>
    </message>
    <message>
        <source>Channel mix: key</source>
        <translation>通道混合：键</translation>
    </message>
    <message>
        <source>Channel mix: value</source>
        <translation>通道混合：值</translation>
    </message>
    <message>
        <source>Channel mix: receptance</source>
        <translation>通道混合：接受度</translation>
    </message>
    <message>
        <source>Norm before feed-forward</source>
        <translation>前馈前的归一化</translation>
    </message>
    <message>
        <source>Norm before the experts</source>
        <translation>专家前的归一化</translation>
    </message>
    <message>
        <source>Second norm before feed-forward</source>
        <translation>前馈前的第二归一化</translation>
    </message>
    <message>
        <source>Gate</source>
        <translation>门控</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上投影</translation>
    </message>
    <message>
        <source>Scales of the activation</source>
        <translation>激活的缩放因子</translation>
    </message>
    <message>
        <source>Norm before the down projection</source>
        <translation>下投影前的归一化</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下投影</translation>
    </message>
    <message>
        <source>Router that chooses the experts</source>
        <translation>选择专家的路由器</translation>
    </message>
    <message>
        <source>Bias of the router, for balance</source>
        <translation>路由器的偏置，用于均衡</translation>
    </message>
    <message>
        <source>Compression before the experts</source>
        <translation>专家前的压缩</translation>
    </message>
    <message>
        <source>Gate of all experts</source>
        <translation>所有专家的门控</translation>
    </message>
    <message>
        <source>Up of all experts</source>
        <translation>所有专家的上投影</translation>
    </message>
    <message>
        <source>Gate and up of all experts</source>
        <translation>所有专家的门控和上投影</translation>
    </message>
    <message>
        <source>Down of all experts</source>
        <translation>所有专家的下投影</translation>
    </message>
    <message>
        <source>Expansion after the experts</source>
        <translation>专家后的展开</translation>
    </message>
    <message>
        <source>Gate of the shared expert&apos;s output</source>
        <translation>共享专家输出的门控</translation>
    </message>
    <message>
        <source>Gate of the shared experts</source>
        <translation>共享专家的门控</translation>
    </message>
    <message>
        <source>Up of the shared experts</source>
        <translation>共享专家的上投影</translation>
    </message>
    <message>
        <source>Down of the shared experts</source>
        <translation>共享专家的下投影</translation>
    </message>
    <message>
        <source>Gate of the chunk experts</source>
        <translation>分段专家的门控</translation>
    </message>
    <message>
        <source>Up of the chunk experts</source>
        <translation>分段专家的上投影</translation>
    </message>
    <message>
        <source>Down of the chunk experts</source>
        <translation>分段专家的下投影</translation>
    </message>
    <message>
        <source>Gate for images</source>
        <translation>图像的门控</translation>
    </message>
    <message>
        <source>Up for images</source>
        <translation>图像的上投影</translation>
    </message>
    <message>
        <source>Down for images</source>
        <translation>图像的下投影</translation>
    </message>
    <message>
        <source>Norm of the feed-forward output</source>
        <translation>前馈输出的归一化</translation>
    </message>
    <message>
        <source>Norm of the dense feed-forward output</source>
        <translation>稠密前馈输出的归一化</translation>
    </message>
    <message>
        <source>Norm of the experts&apos; output</source>
        <translation>专家输出的归一化</translation>
    </message>
    <message>
        <source>Scale of the feed-forward branch</source>
        <translation>前馈分支的缩放因子</translation>
    </message>
    <message>
        <source>Norm before the second feed-forward</source>
        <translation>第二前馈前的归一化</translation>
    </message>
    <message>
        <source>Gate of the second feed-forward</source>
        <translation>第二前馈的门控</translation>
    </message>
    <message>
        <source>Up of the second feed-forward</source>
        <translation>第二前馈的上投影</translation>
    </message>
    <message>
        <source>Down of the second feed-forward</source>
        <translation>第二前馈的下投影</translation>
    </message>
    <message>
        <source>Norm of the second feed-forward&apos;s output</source>
        <translation>第二前馈输出的归一化</translation>
    </message>
    <message>
        <source>Scale of the second feed-forward branch</source>
        <translation>第二前馈分支的缩放因子</translation>
    </message>
    <message>
        <source>Norm at the end of the block</source>
        <translation>块末尾的归一化</translation>
    </message>
    <message>
        <source>Scale at the end of the block</source>
        <translation>块末尾的缩放因子</translation>
    </message>
    <message>
        <source>Alternating update: norm of the router</source>
        <translation>交替更新：路由器的归一化</translation>
    </message>
    <message>
        <source>Alternating update: router</source>
        <translation>交替更新：路由器</translation>
    </message>
    <message>
        <source>Alternating update: prediction</source>
        <translation>交替更新：预测</translation>
    </message>
    <message>
        <source>Alternating update: correction</source>
        <translation>交替更新：校正</translation>
    </message>
    <message>
        <source>Alternating update: scale of the correction</source>
        <translation>交替更新：校正的缩放因子</translation>
    </message>
    <message>
        <source>Learned residual, compressing half</source>
        <translation>可学习残差，压缩部分</translation>
    </message>
    <message>
        <source>Learned residual, expanding half</source>
        <translation>可学习残差，展开部分</translation>
    </message>
    <message>
        <source>Norm of the learned residual</source>
        <translation>可学习残差的归一化</translation>
    </message>
    <message>
        <source>Gate of the block&apos;s own embedding</source>
        <translation>块自身嵌入的门控</translation>
    </message>
    <message>
        <source>Projection of the block&apos;s own embedding</source>
        <translation>块自身嵌入的投影</translation>
    </message>
    <message>
        <source>Norm of the block&apos;s own embedding</source>
        <translation>块自身嵌入的归一化</translation>
    </message>
    <message>
        <source>Next tokens: embedding</source>
        <translation>后续词元：嵌入</translation>
    </message>
    <message>
        <source>Next tokens: norm of the embedding</source>
        <translation>后续词元：嵌入的归一化</translation>
    </message>
    <message>
        <source>Next tokens: norm of the hidden state</source>
        <translation>后续词元：隐藏状态的归一化</translation>
    </message>
    <message>
        <source>Next tokens: projection of both</source>
        <translation>后续词元：两者的投影</translation>
    </message>
    <message>
        <source>Next tokens: norm before the head</source>
        <translation>后续词元：输出头前的归一化</translation>
    </message>
    <message>
        <source>Next tokens: head</source>
        <translation>后续词元：输出头</translation>
    </message>
    <message>
        <source>Norm at the start of the block</source>
        <translation>块开头的归一化</translation>
    </message>
    <message>
        <source>Norm before the convolution</source>
        <translation>卷积前的归一化</translation>
    </message>
    <message>
        <source>First pointwise convolution</source>
        <translation>第一逐点卷积</translation>
    </message>
    <message>
        <source>Depthwise convolution</source>
        <translation>逐通道卷积</translation>
    </message>
    <message>
        <source>Norm of the convolution</source>
        <translation>卷积的归一化</translation>
    </message>
    <message>
        <source>Mean of the convolution&apos;s batch norm</source>
        <translation>卷积批归一化的均值</translation>
    </message>
    <message>
        <source>Variance of the convolution&apos;s batch norm</source>
        <translation>卷积批归一化的方差</translation>
    </message>
    <message>
        <source>Second pointwise convolution</source>
        <translation>第二逐点卷积</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Scale of the branch</source>
        <translation>分支的缩放因子</translation>
    </message>
    <message>
        <source>First norm</source>
        <translation>第一归一化</translation>
    </message>
    <message>
        <source>First convolution</source>
        <translation>第一卷积</translation>
    </message>
    <message>
        <source>Second norm</source>
        <translation>第二归一化</translation>
    </message>
    <message>
        <source>Second convolution</source>
        <translation>第二卷积</translation>
    </message>
    <message>
        <source>First layer of the projection</source>
        <translation>投影的第一层</translation>
    </message>
    <message>
        <source>Second layer of the projection</source>
        <translation>投影的第二层</translation>
    </message>
    <message>
        <source>Convolution after the encoder</source>
        <translation>编码器后的卷积</translation>
    </message>
    <message>
        <source>Layer of the projector</source>
        <translation>投影器的层</translation>
    </message>
    <message>
        <source>Position generator of the projector</source>
        <translation>投影器的位置生成器</translation>
    </message>
    <message>
        <source>Norm before the output</source>
        <translation>输出前的归一化</translation>
    </message>
    <message>
        <source>Projection from alternating-update streams</source>
        <translation>来自交替更新流的投影</translation>
    </message>
    <message>
        <source>Output: embedding to logits</source>
        <translation>输出：从嵌入到 logits</translation>
    </message>
    <message>
        <source>First dense layer of the embedding</source>
        <translation>嵌入的第一全连接层</translation>
    </message>
    <message>
        <source>Second dense layer of the embedding</source>
        <translation>嵌入的第二全连接层</translation>
    </message>
    <message>
        <source>Classifier</source>
        <translation>分类器</translation>
    </message>
    <message>
        <source>Norm of the classifier</source>
        <translation>分类器的归一化</translation>
    </message>
    <message>
        <source>Output of the classifier</source>
        <translation>分类器的输出</translation>
    </message>
    <message>
        <source>Norm after the encoder&apos;s blocks</source>
        <translation>编码器各块之后的归一化</translation>
    </message>
    <message>
        <source>Second convolution after the encoder</source>
        <translation>编码器后的第二卷积</translation>
    </message>
    <message>
        <source>Third convolution after the encoder</source>
        <translation>编码器后的第三卷积</translation>
    </message>
    <message>
        <source>Fusion of scales: expansion</source>
        <translation>尺度融合：展开</translation>
    </message>
    <message>
        <source>Fusion of scales: norm of the expansion</source>
        <translation>尺度融合：展开的归一化</translation>
    </message>
    <message>
        <source>Fusion of scales: projection</source>
        <translation>尺度融合：投影</translation>
    </message>
    <message>
        <source>Fusion of scales: norm of the projection</source>
        <translation>尺度融合：投影的归一化</translation>
    </message>
    <message>
        <source>Fusion of scales: norm</source>
        <translation>尺度融合：归一化</translation>
    </message>
    <message>
        <source>Projector</source>
        <translation>投影器</translation>
    </message>
    <message>
        <source>Norm before the projector</source>
        <translation>投影器前的归一化</translation>
    </message>
    <message>
        <source>Norm inside the projector</source>
        <translation>投影器内的归一化</translation>
    </message>
    <message>
        <source>Norm after the projector</source>
        <translation>投影器后的归一化</translation>
    </message>
    <message>
        <source>Norm after the projection</source>
        <translation>投影后的归一化</translation>
    </message>
    <message>
        <source>Norm of embeddings from the encoder</source>
        <translation>编码器嵌入的归一化</translation>
    </message>
    <message>
        <source>Norm of embeddings of special tokens</source>
        <translation>特殊词元嵌入的归一化</translation>
    </message>
    <message>
        <source>Embedding of special tokens</source>
        <translation>特殊词元的嵌入</translation>
    </message>
    <message>
        <source>Joins neighbouring patches</source>
        <translation>合并相邻图像块</translation>
    </message>
    <message>
        <source>Gate of the projector</source>
        <translation>投影器的门控</translation>
    </message>
    <message>
        <source>Up of the projector</source>
        <translation>投影器的上投影</translation>
    </message>
    <message>
        <source>Down of the projector</source>
        <translation>投影器的下投影</translation>
    </message>
    <message>
        <source>Learned queries of the resampler</source>
        <translation>重采样器学习得到的查询</translation>
    </message>
    <message>
        <source>Positions of the resampler&apos;s keys</source>
        <translation>重采样器键的位置</translation>
    </message>
    <message>
        <source>Input of the resampler&apos;s keys and values</source>
        <translation>重采样器键和值的输入</translation>
    </message>
    <message>
        <source>Norm of the resampler&apos;s queries</source>
        <translation>重采样器查询的归一化</translation>
    </message>
    <message>
        <source>Norm of the resampler&apos;s keys and values</source>
        <translation>重采样器键和值的归一化</translation>
    </message>
    <message>
        <source>Query of the resampler</source>
        <translation>重采样器的查询</translation>
    </message>
    <message>
        <source>Key of the resampler</source>
        <translation>重采样器的键</translation>
    </message>
    <message>
        <source>Value of the resampler</source>
        <translation>重采样器的值</translation>
    </message>
    <message>
        <source>Attention output of the resampler</source>
        <translation>重采样器的注意力输出</translation>
    </message>
    <message>
        <source>Norm after the resampler</source>
        <translation>重采样器后的归一化</translation>
    </message>
    <message>
        <source>Projection of the resampler</source>
        <translation>重采样器的投影</translation>
    </message>
</context>
<context>
    <name>StructureFacts</name>
    <message>
        <source>%1 heads of %2</source>
        <translation>%1 个宽 %2 的头</translation>
    </message>
    <message>
        <source>values of %1</source>
        <translation>值宽 %1</translation>
    </message>
    <message>
        <source>%1 KV heads</source>
        <translation>%1 个 KV 头</translation>
    </message>
    <message>
        <source>one latent row of %1 for all heads</source>
        <translation>所有头共用一个宽 %1 的潜在行</translation>
    </message>
    <message>
        <source>queries of rank %1</source>
        <translation>查询的秩为 %1</translation>
    </message>
    <message>
        <source>window of %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source>chunks of %1</source>
        <translation>分段 %1</translation>
    </message>
    <message>
        <source>sees later tokens too</source>
        <translation>也能看到后面的词元</translation>
    </message>
    <message>
        <source>RoPE on %1 of %2, neighbours</source>
        <translation>RoPE 作用于 %2 维中的 %1 维，相邻成对</translation>
    </message>
    <message>
        <source>RoPE on %1 of %2, halves</source>
        <translation>RoPE 作用于 %2 维中的 %1 维，两半成对</translation>
    </message>
    <message>
        <source>RoPE base %1</source>
        <translation>RoPE 基数 %1</translation>
    </message>
    <message>
        <source>no RoPE</source>
        <translation>无 RoPE</translation>
    </message>
    <message>
        <source>ALiBi up to %1</source>
        <translation>ALiBi 最大 %1</translation>
    </message>
    <message>
        <source>biases for %1 distances</source>
        <translation>%1 种距离的偏置</translation>
    </message>
    <message>
        <source>QK norm</source>
        <translation>QK 归一化</translation>
    </message>
    <message>
        <source>sinks</source>
        <translation>汇点</translation>
    </message>
    <message>
        <source>gate on the result</source>
        <translation>结果的门控</translation>
    </message>
    <message>
        <source>scores capped at %1</source>
        <translation>分数上限 %1</translation>
    </message>
    <message>
        <source>keys and values of block %1</source>
        <translation>块 %1 的键和值</translation>
    </message>
    <message>
        <source>the best %1 positions</source>
        <translation>最佳的 %1 个位置</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>state of %1</source>
        <translation>状态 %1</translation>
    </message>
    <message>
        <source>inner width %1</source>
        <translation>内部宽度 %1</translation>
    </message>
    <message>
        <source>%1 groups</source>
        <translation>%1 个组</translation>
    </message>
    <message>
        <source>convolution of %1 taps</source>
        <translation>%1 抽头卷积</translation>
    </message>
    <message>
        <source>heads of %1</source>
        <translation>头宽 %1</translation>
    </message>
    <message>
        <source>width %1</source>
        <translation>宽度 %1</translation>
    </message>
    <message>
        <source>%1, gated</source>
        <translation>%1，带门控</translation>
    </message>
    <message>
        <source>%1 of %2 experts</source>
        <translation>%2 个专家选 %1 个</translation>
    </message>
    <message>
        <source>%1 experts</source>
        <translation>%1 个专家</translation>
    </message>
    <message>
        <source>weights sum to 1</source>
        <translation>权重总和为 1</translation>
    </message>
    <message>
        <source>%1 of %2 groups</source>
        <translation>%2 个组选 %1 个</translation>
    </message>
    <message>
        <source>times %1</source>
        <translation>乘以 %1</translation>
    </message>
    <message>
        <source>bias for balance</source>
        <translation>均衡偏置</translation>
    </message>
    <message>
        <source>most gates are 0</source>
        <translation>多数门控为 0</translation>
    </message>
    <message>
        <source>RMS norm</source>
        <translation>RMS 归一化</translation>
    </message>
    <message>
        <source>layer norm</source>
        <translation>层归一化</translation>
    </message>
    <message>
        <source>of the sum with the stream</source>
        <translation>作用于与残差流之和</translation>
    </message>
    <message>
        <source>%1 tokens of %2</source>
        <translation>%1 个宽 %2 的词元</translation>
    </message>
    <message>
        <source>branches times %1</source>
        <translation>分支乘以 %1</translation>
    </message>
    <message>
        <source>%1 learned positions</source>
        <translation>%1 个学习得到的位置</translation>
    </message>
    <message>
        <source>%1 streams</source>
        <translation>%1 个流</translation>
    </message>
    <message>
        <source>tied to the embedding</source>
        <translation>与嵌入共享权重</translation>
    </message>
    <message>
        <source>logits capped at %1</source>
        <translation>logits 上限 %1</translation>
    </message>
    <message>
        <source>pooling: %1</source>
        <translation>池化：%1</translation>
    </message>
    <message>
        <source>patches of %1 × %1</source>
        <translation>图像块 %1 × %1</translation>
    </message>
    <message>
        <source>images of %1 × %1</source>
        <translation>图像 %1 × %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>秩 %1</translation>
    </message>
    <message>
        <source>%1 is missing, which the keys ask for</source>
        <translation>缺少 %1，而键要求有它</translation>
    </message>
    <message>
        <source>%1 is %2, and the keys ask for %3</source>
        <translation>%1 为 %2，而键要求 %3</translation>
    </message>
    <message>
        <source>%1 has no place in the architecture</source>
        <translation>%1 在该架构中没有位置</translation>
    </message>
    <message>
        <source>the keys state %1 blocks, and the tensors are those of %2</source>
        <translation>键声明了 %1 个块，而张量属于 %2 个块</translation>
    </message>
</context>
<context>
    <name>gufo::DifferenceText</name>
    <message>
        <source>added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>renamed</source>
        <translation>已重命名</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>已移动</translation>
    </message>
    <message>
        <source>Version of the format</source>
        <translation>格式的版本</translation>
    </message>
    <message>
        <source>Byte order</source>
        <translation>字节序</translation>
    </message>
    <message>
        <source>Bytes after the last tensor</source>
        <translation>最后一个张量之后的字节</translation>
    </message>
    <message numerus="yes">
        <source>%n of %1 elements differ, first at %2</source>
        <translation>
            <numerusform>%1 个元素中有 %n 个不同，第一处在 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 longer</source>
        <translation>长 %1</translation>
    </message>
    <message>
        <source>%1 shorter</source>
        <translation>短 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ErrorText</name>
    <message>
        <source>there is no such file</source>
        <translation>没有这样的文件</translation>
    </message>
    <message>
        <source>It may have been moved, renamed or deleted, or its drive is not connected.</source>
        <translation>它可能已被移动、重命名或删除，或其驱动器没有连接。</translation>
    </message>
    <message>
        <source>you do not have permission to read this file</source>
        <translation>没有读取此文件的权限</translation>
    </message>
    <message>
        <source>Ask its owner for read permission, or copy it to a folder of your own.</source>
        <translation>请向所有者申请读取权限，或将其复制到自己的文件夹。</translation>
    </message>
    <message>
        <source>this is a folder, not a file</source>
        <translation>这是文件夹，不是文件</translation>
    </message>
    <message>
        <source>Choose a model file inside it.</source>
        <translation>请选择其中的模型文件。</translation>
    </message>
    <message>
        <source>this is a pipe, socket or device, not a file</source>
        <translation>这是管道、套接字或设备，不是文件</translation>
    </message>
    <message>
        <source>Models are mapped into memory and need a regular file: save the stream to disk first.</source>
        <translation>模型要映射到内存，需要普通文件：请先将数据流存盘。</translation>
    </message>
    <message>
        <source>it could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Check the drive or the network connection.</source>
        <translation>请检查驱动器或网络连接。</translation>
    </message>
    <message>
        <source>it could not be written</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <source>Check the free space and the permissions of the folder.</source>
        <translation>请检查可用空间和文件夹的权限。</translation>
    </message>
    <message>
        <source>it could not be mapped into memory</source>
        <translation>无法映射到内存</translation>
    </message>
    <message>
        <source>The file system may not support it: copy the file to a local disk.</source>
        <translation>文件系统可能不支持：请将文件复制到本地磁盘。</translation>
    </message>
    <message>
        <source>another program shortened or removed it while it was being read</source>
        <translation>读取期间，另一个程序将它截短或移除</translation>
    </message>
    <message>
        <source>Open it again when the other program has finished.</source>
        <translation>待另一个程序完成后重新打开。</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>A download may have failed: fetch it again.</source>
        <translation>下载可能已失败：请重新获取。</translation>
    </message>
    <message>
        <source>it is not a model file: it starts with the bytes %1</source>
        <translation>它不是模型文件：以字节 %1 开头</translation>
    </message>
    <message>
        <source>A GGUF file starts with 47 47 55 46. Check that this is the right file.</source>
        <translation>GGUF 文件以 47 47 55 46 开头。请确认这是正确的文件。</translation>
    </message>
    <message>
        <source>this is %1, which cannot be opened</source>
        <translation>这是%1，无法打开</translation>
    </message>
    <message>
        <source>Fetch the model as GGUF, or convert it.</source>
        <translation>请获取该模型的 GGUF 文件，或将其转换。</translation>
    </message>
    <message>
        <source>this is %1, which can be read, but not changed or written</source>
        <translation>这是%1，可以读取，但不能更改或写入</translation>
    </message>
    <message>
        <source>Convert it to GGUF, and change that.</source>
        <translation>请转换为 GGUF，再更改转换后的文件。</translation>
    </message>
    <message>
        <source>this is a Git LFS pointer, which stands for a file of %1 with the hash %2</source>
        <translation>这是 Git LFS 指针，代表大小为 %1、哈希为 %2 的文件</translation>
    </message>
    <message>
        <source>Run `git lfs pull` in its folder, or download the file from the page of the model.</source>
        <translation>请在其文件夹中运行 `git lfs pull`，或从模型页面下载该文件。</translation>
    </message>
    <message>
        <source>this is the unfinished download of %1</source>
        <translation>这是 %1 的未完成下载</translation>
    </message>
    <message>
        <source>Let the program that downloads it finish, or start the download again, and open the result.</source>
        <translation>请等下载它的程序完成，或重新开始下载，然后打开结果。</translation>
    </message>
    <message>
        <source>this is not a model, but the reply of a server that did not send it: %1</source>
        <translation>这不是模型，而是服务器的答复，服务器并未发送模型：%1</translation>
    </message>
    <message>
        <source>Check the address and whether the model needs a login, and download it again.</source>
        <translation>请检查地址以及该模型是否需要登录，然后重新下载。</translation>
    </message>
    <message>
        <source>it is a piece of %2, of which the piece %1 is missing</source>
        <translation>它是 %2 的一段，但缺少段 %1</translation>
    </message>
    <message>
        <source>Put all pieces into one folder, and open any of them.</source>
        <translation>将所有段放入同一文件夹，然后打开其中任意一个。</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>Put all parts of the same model into one folder, under the names that they were given.</source>
        <translation>将同一模型的所有分片以原来的名称放入同一文件夹。</translation>
    </message>
    <message>
        <source>it is not an importance matrix</source>
        <translation>它不是重要性矩阵</translation>
    </message>
    <message>
        <source>Choose what llama-imatrix wrote for this model: a GGUF file with in_sum2 tensors, or a .dat file.</source>
        <translation>请选择 llama-imatrix 为此模型写出的文件：含有 in_sum2 张量的 GGUF 文件，或 .dat 文件。</translation>
    </message>
    <message>
        <source>version %1 of its format is not known</source>
        <translation>其格式的版本 %1 未知</translation>
    </message>
    <message>
        <source>The file may be damaged, or newer than this program.</source>
        <translation>文件可能已损坏，或比此程序更新。</translation>
    </message>
    <message numerus="yes">
        <source>it ends before the end of %1: %2 bytes are needed, %3 are left</source>
        <translation>
            <numerusform>它在%1结束之前就已中断：需要 %2 个字节，只剩 %3 个</numerusform>
        </translation>
    </message>
    <message>
        <source>The download or copy is incomplete: fetch it again.</source>
        <translation>下载或复制不完整：请重新获取。</translation>
    </message>
    <message>
        <source>it declares %2 %1, more than fit in the rest of the file (bytes left: %3)</source>
        <translation>它声明了 %2 个%1，超过文件的剩余部分（剩余字节：%3）</translation>
    </message>
    <message>
        <source>The header is damaged: fetch the file again.</source>
        <translation>文件头已损坏：请重新获取文件。</translation>
    </message>
    <message numerus="yes">
        <source>it claims a string of %2 bytes for %1, more than fit in the rest of the file (bytes left: %3)</source>
        <translation>
            <numerusform>它声明用于%1的字符串有 %2 个字节，超过文件的剩余部分（剩余字节：%3）</numerusform>
        </translation>
    </message>
    <message>
        <source>the value has the unknown type %1</source>
        <translation>该值的类型 %1 未知</translation>
    </message>
    <message>
        <source>What follows it cannot be read. The file is damaged, or newer than this program.</source>
        <translation>其后的内容无法读取。文件已损坏，或比此程序更新。</translation>
    </message>
    <message numerus="yes">
        <source>it claims an array of %1 elements, more than fit in the rest of the file (bytes left: %2)</source>
        <translation>
            <numerusform>它声明一个 %1 个元素的数组，超过文件的剩余部分（剩余字节：%2）</numerusform>
        </translation>
    </message>
    <message>
        <source>values are nested more than %1 deep</source>
        <translation>值的嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>No known program writes this: the file is damaged or hostile.</source>
        <translation>没有已知程序会写出这样的内容：文件已损坏或带有恶意。</translation>
    </message>
    <message>
        <source>a tensor declares %1 dimensions; the limit is %2</source>
        <translation>有一个张量声明了 %1 个维度；上限为 %2</translation>
    </message>
    <message>
        <source>The tensor list is damaged: fetch the file again.</source>
        <translation>张量列表已损坏：请重新获取文件。</translation>
    </message>
    <message>
        <source>it has %2 %1; the limit is %3</source>
        <translation>它有 %2 个%1；上限为 %3</translation>
    </message>
    <message>
        <source>it is damaged: %1</source>
        <translation>它已损坏：%1</translation>
    </message>
    <message>
        <source>Fetch or write the file again.</source>
        <translation>请重新获取或写出该文件。</translation>
    </message>
    <message>
        <source>%2 bytes are needed from byte %1 on, but the file ends at byte %3</source>
        <translation>从字节 %1 起需要 %2 个字节，但文件在字节 %3 处结束</translation>
    </message>
    <message>
        <source>it has no key %1</source>
        <translation>它没有键 %1</translation>
    </message>
    <message>
        <source>it has no tensor %1</source>
        <translation>它没有张量 %1</translation>
    </message>
    <message>
        <source>its shape is %1, but the model needs %2</source>
        <translation>它的形状为 %1，但模型需要 %2</translation>
    </message>
    <message>
        <source>The metadata and the tensors contradict each other: convert the model again.</source>
        <translation>元数据与张量互相矛盾：请重新转换模型。</translation>
    </message>
    <message numerus="yes">
        <source>the vocabulary has %1 tokens</source>
        <translation>
            <numerusform>词表有 %1 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>it has no element %1: the number of its elements is %2</source>
        <translation>它没有元素 %1：元素的数量为 %2</translation>
    </message>
    <message>
        <source>line %2, column %3: %1</source>
        <translation>第 %2 行第 %3 列：%1</translation>
    </message>
    <message>
        <source>the value should be %1, but is %2</source>
        <translation>该值应为 %1，实为 %2</translation>
    </message>
    <message numerus="yes">
        <source>it has %1 elements, but %2 has %3</source>
        <translation>
            <numerusform>它有 %1 个元素，但 %2 有 %3 个</numerusform>
        </translation>
    </message>
    <message>
        <source>The vocabulary is damaged: convert or fetch the file again.</source>
        <translation>词表已损坏：请重新转换或获取文件。</translation>
    </message>
    <message>
        <source>values of the type %1 cannot be decoded</source>
        <translation>无法解码类型 %1 的值</translation>
    </message>
    <message>
        <source>Its bytes can be shown and exported as they are.</source>
        <translation>它的字节可以原样显示和导出。</translation>
    </message>
    <message>
        <source>weights cannot be written as %1</source>
        <translation>无法以 %1 写出权重</translation>
    </message>
    <message>
        <source>Choose another type.</source>
        <translation>请选择其他类型。</translation>
    </message>
    <message>
        <source>a weight is %2, which %1 cannot hold</source>
        <translation>有一个权重为 %2，%1 无法容纳</translation>
    </message>
    <message>
        <source>Keep this tensor as F32, or check whether the file is damaged.</source>
        <translation>将此张量保留为 F32，或检查文件是否损坏。</translation>
    </message>
    <message>
        <source>it is already quantised as %1</source>
        <translation>它已量化为 %1</translation>
    </message>
    <message>
        <source>Quantise the model in F32, F16 or BF16 instead, or allow requantising, which loses more.</source>
        <translation>请改为量化 F32、F16 或 BF16 的模型，或允许重新量化（损失更大）。</translation>
    </message>
    <message>
        <source>not possible: %1</source>
        <translation>不可行：%1</translation>
    </message>
    <message>
        <source>this engine cannot run it: %1</source>
        <translation>此引擎无法运行它：%1</translation>
    </message>
    <message>
        <source>this engine does not support some tensors of the model: %1</source>
        <translation>此引擎不支持模型的部分张量：%1</translation>
    </message>
    <message>
        <source>Without them, its answers would differ from the model&apos;s.</source>
        <translation>没有它们，回答会与模型应有的回答不同。</translation>
    </message>
    <message>
        <source>running it needs %1 of memory besides the weights, but only %2 are free</source>
        <translation>除权重外，运行它还需要 %1 内存，但只有 %2 可用</translation>
    </message>
    <message>
        <source>Choose a shorter context or a smaller KV cache type, or close other programs.</source>
        <translation>请选择更短的上下文或更小的 KV 缓存类型，或关闭其他程序。</translation>
    </message>
    <message>
        <source>the JSON schema is not supported at %1: %2</source>
        <translation>不支持 JSON Schema 中 %1 处的内容：%2</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>another program changed it since it was opened</source>
        <translation>打开之后，另一个程序更改了它</translation>
    </message>
    <message>
        <source>Open it again, and make the changes there; or save them under another name.</source>
        <translation>请重新打开并再次更改，或以其他名称保存更改。</translation>
    </message>
    <message>
        <source>it should not be edited in place, because %1</source>
        <translation>不应原地编辑它，因为%1</translation>
    </message>
    <message>
        <source>Save under another name, or ask explicitly for editing in place.</source>
        <translation>请以其他名称保存，或明确要求原地编辑。</translation>
    </message>
    <message>
        <source>you do not have permission to write this file</source>
        <translation>没有写入此文件的权限</translation>
    </message>
    <message>
        <source>Change its permissions, or save under another name.</source>
        <translation>请更改其权限，或以其他名称保存。</translation>
    </message>
    <message>
        <source>saving needs to create files in its folder, but you do not have permission to</source>
        <translation>保存时需要在其文件夹中创建文件，但没有此权限</translation>
    </message>
    <message>
        <source>Save under another name in a folder of your own.</source>
        <translation>请以其他名称保存到自己的文件夹。</translation>
    </message>
    <message>
        <source>a new file in its place could not keep its owner, permissions and attributes</source>
        <translation>替换它的新文件无法保留其所有者、权限和属性</translation>
    </message>
    <message>
        <source>Save under another name, or ask its owner to save it.</source>
        <translation>请以其他名称保存，或请所有者保存。</translation>
    </message>
    <message>
        <source>another process is saving it</source>
        <translation>另一个进程正在保存它</translation>
    </message>
    <message>
        <source>Try again when the other process has finished.</source>
        <translation>待另一个进程完成后重试。</translation>
    </message>
    <message>
        <source>%1 are needed on the disk, but only %2 are free</source>
        <translation>磁盘上需要 %1，但只有 %2 可用</translation>
    </message>
    <message>
        <source>Free some space, or save on another disk.</source>
        <translation>请释放一些空间，或保存到其他磁盘。</translation>
    </message>
    <message>
        <source>it cannot be saved by %1: %2</source>
        <translation>无法以“%1”方式保存：%2</translation>
    </message>
    <message>
        <source>Let the strategy be chosen automatically.</source>
        <translation>请让程序自动选择策略。</translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes of the tensor are missing in the file</source>
        <translation>
            <numerusform>文件中缺少该张量的 %1 个字节</numerusform>
        </translation>
    </message>
    <message>
        <source>The file is truncated: fetch it again.</source>
        <translation>文件被截断：请重新获取。</translation>
    </message>
    <message>
        <source>the tensor bytes differ after saving: their hash was %1 and is %2</source>
        <translation>保存后张量的字节不同：哈希原为 %1，现为 %2</translation>
    </message>
    <message>
        <source>The disk or the memory may be failing: restore the file from a copy.</source>
        <translation>磁盘或内存可能有故障：请从副本恢复文件。</translation>
    </message>
    <message>
        <source>a save was interrupted, and its journal %1 is missing from the folder</source>
        <translation>保存曾中断，而文件夹中缺少其日志 %1</translation>
    </message>
    <message>
        <source>Put the journal back beside the file, under that name, and open the file again.</source>
        <translation>将日志以该名称放回文件旁边，再重新打开文件。</translation>
    </message>
    <message>
        <source>the journal %1 of an interrupted save is damaged; nothing was changed</source>
        <translation>中断的保存所留下的日志 %1 已损坏；没有更改任何内容</translation>
    </message>
    <message>
        <source>Restore the file from a copy, then delete the journal.</source>
        <translation>从副本恢复文件，然后删除日志。</translation>
    </message>
    <message>
        <source>the journal %1 beside it belongs to another file or an older state; nothing was changed</source>
        <translation>旁边的日志 %1 属于另一个文件或更早的状态；没有更改任何内容</translation>
    </message>
    <message>
        <source>If the file was replaced by a complete one, delete the journal.</source>
        <translation>如果该文件已被完整的文件替换，请删除日志。</translation>
    </message>
    <message>
        <source>this address is not used: %1</source>
        <translation>没有使用此地址：%1</translation>
    </message>
    <message>
        <source>no connection with %1: %2</source>
        <translation>无法连接 %1：%2</translation>
    </message>
    <message>
        <source>Check the network connection and the address, and try again.</source>
        <translation>请检查网络连接和地址，然后重试。</translation>
    </message>
    <message>
        <source>the identity of %1 could not be verified, so nothing was sent: %2</source>
        <translation>无法验证 %1 的身份，因此没有发送任何内容：%2</translation>
    </message>
    <message>
        <source>Check the address and the clock and certificates of this computer.</source>
        <translation>请检查地址以及本机的时钟和证书。</translation>
    </message>
    <message>
        <source>the server replied with status %1: %2</source>
        <translation>服务器以状态 %1 答复：%2</translation>
    </message>
    <message>
        <source>the reply of the server cannot be used: %1</source>
        <translation>服务器的答复无法使用：%1</translation>
    </message>
    <message>
        <source>the file on the server has changed in the meantime</source>
        <translation>服务器上的文件在此期间已更改</translation>
    </message>
    <message>
        <source>Open or download it again.</source>
        <translation>请重新打开或下载。</translation>
    </message>
    <message>
        <source>the server has no file for %1</source>
        <translation>服务器没有 %1 的文件</translation>
    </message>
    <message>
        <source>Open the page of the model in a browser to see which files it has.</source>
        <translation>请在浏览器中打开模型页面，查看它有哪些文件。</translation>
    </message>
    <message>
        <source>its SHA-256 should be %1, but is %2, so it is not the file that the server describes</source>
        <translation>它的 SHA-256 应为 %1，实为 %2，因此它不是服务器所描述的文件</translation>
    </message>
    <message>
        <source>Download it again.</source>
        <translation>请重新下载。</translation>
    </message>
    <message>
        <source>another program changed it since tensors were imported from it; nothing was saved</source>
        <translation>从它导入张量之后，另一个程序更改了它；没有保存任何内容</translation>
    </message>
    <message>
        <source>Import the tensors again from the file as it is now, or revert their import; then save.</source>
        <translation>请从该文件现在的状态重新导入张量，或还原导入；然后保存。</translation>
    </message>
    <message>
        <source>another program changed it since it was opened; its weights can no longer be read</source>
        <translation>打开之后，另一个程序更改了它；它的权重无法再读取</translation>
    </message>
    <message>
        <source>the folder for it does not exist</source>
        <translation>目标文件夹不存在</translation>
    </message>
    <message>
        <source>Create the folder, or choose another one.</source>
        <translation>请创建该文件夹，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>it was copied or moved in the middle of a save, together with its journal %1; nothing was changed</source>
        <translation>它在保存途中连同日志 %1 一起被复制或移动；没有更改任何内容</translation>
    </message>
    <message>
        <source>Keep the journal, the only way back to the old file, and have the copy recovered: in the window, or by gufo-cli recover FILE --moved.</source>
        <translation>请保留日志，它是恢复旧文件的唯一途径；然后恢复该副本：可在窗口中进行，或使用 gufo-cli recover FILE --moved。</translation>
    </message>
    <message>
        <source>Save it under another name, which creates a separate file; with gufo-cli set, use -o OUT.</source>
        <translation>请以其他名称保存，这会创建一个独立的文件；使用 gufo-cli set 时请加 -o OUT。</translation>
    </message>
    <message>
        <source>a model in the store of Ollama is never changed in place, because the name of its file is the hash of its content, and other models may share it</source>
        <translation>Ollama 存储中的模型从不原地更改，因为其文件名是内容的哈希，且可能有其他模型共用它</translation>
    </message>
    <message>
        <source>its files were opened as one model, which is not changed in place</source>
        <translation>它的文件是作为一个模型打开的，不会原地更改</translation>
    </message>
    <message>
        <source>it is stated by a file beside the weights, such as config.json, which Gufo does not change</source>
        <translation>它由权重旁边的文件（例如 config.json）声明，Gufo 不更改该文件</translation>
    </message>
    <message>
        <source>Change that file with a text editor, or convert the folder to GGUF, and change the key there.</source>
        <translation>请用文本编辑器更改该文件，或将文件夹转换为 GGUF，再在其中更改该键。</translation>
    </message>
    <message>
        <source>this is %1, of which only the metadata can be changed</source>
        <translation>这是%1，只能更改其元数据</translation>
    </message>
    <message>
        <source>Simplify the grammar or schema, or divide what it describes.</source>
        <translation>请简化语法或 Schema，或拆分它所描述的内容。</translation>
    </message>
    <message>
        <source>Check that it is what you mean; if it is, divide it or leave parts out.</source>
        <translation>请确认这是所要的内容；如果是，请将其拆分或略去一部分。</translation>
    </message>
    <message>
        <source>The file is damaged, or of another format.</source>
        <translation>文件已损坏，或属于另一种格式。</translation>
    </message>
    <message>
        <source>Use a larger context if the model allows it, or a shorter text.</source>
        <translation>如果模型允许，请使用更大的上下文，或使用更短的文本。</translation>
    </message>
    <message>
        <source>The file stores less than its tensor claims to have, so the tensor is not expanded.</source>
        <translation>文件存储的内容少于其张量所声称的，因此该张量不会展开。</translation>
    </message>
    <message>
        <source>it takes %2; the limit is %3</source>
        <translation>它需要 %2；上限为 %3</translation>
    </message>
    <message>
        <source>It expects another key than that of --engine-key-file or GUFO_ENGINE_KEY.</source>
        <translation>它要求的密钥与 --engine-key-file 或 GUFO_ENGINE_KEY 所给的不同。</translation>
    </message>
    <message>
        <source>It needs a key: give it in a file with --engine-key-file, or in the environment variable GUFO_ENGINE_KEY.</source>
        <translation>它需要密钥：请用 --engine-key-file 以文件给出，或放在环境变量 GUFO_ENGINE_KEY 中。</translation>
    </message>
    <message>
        <source>It expects another key.</source>
        <translation>它要求另一个密钥。</translation>
    </message>
    <message>
        <source>It needs a key.</source>
        <translation>它需要密钥。</translation>
    </message>
    <message>
        <source>It redirects there: if you trust that server, give its address instead.</source>
        <translation>它重定向到那里：如果信任该服务器，请改为给出它的地址。</translation>
    </message>
    <message>
        <source>It may be private, or its terms have to be accepted on its page. Give an access token of that account, for Hugging Face in HF_TOKEN.</source>
        <translation>它可能是私有的，或需要先在其页面上接受条款。请提供该账户的访问令牌，对于 Hugging Face 为 HF_TOKEN。</translation>
    </message>
    <message>
        <source>The server continues no texts: chat with it instead.</source>
        <translation>该服务器不能续写文本：请改为与它聊天。</translation>
    </message>
    <message>
        <source>Check the address: it has neither llama-server&apos;s interface nor OpenAI&apos;s.</source>
        <translation>请检查地址：它既没有 llama-server 的接口，也没有 OpenAI 的接口。</translation>
    </message>
    <message>
        <source>Check the address: the server has no such file.</source>
        <translation>请检查地址：服务器没有这个文件。</translation>
    </message>
    <message>
        <source>The file may be empty, or have been replaced: try again.</source>
        <translation>文件可能为空，或已被替换：请重试。</translation>
    </message>
    <message>
        <source>The server wants fewer requests: try again later.</source>
        <translation>服务器要求减少请求：请稍后重试。</translation>
    </message>
    <message>
        <source>The server has a problem: try again later.</source>
        <translation>服务器出现问题：请稍后重试。</translation>
    </message>
    <message>
        <source>The server, or a proxy on the way to it, violates HTTP. A file can be downloaded with a browser and opened from the disk.</source>
        <translation>服务器或途中的代理违反了 HTTP。可以用浏览器下载文件，再从磁盘打开。</translation>
    </message>
    <message>
        <source>Give an address that begins with https://. A model on Hugging Face is also found by its name, hf.co/OWNER/REPO:Q4_K_M.</source>
        <translation>请给出以 https:// 开头的地址。Hugging Face 上的模型也可以用名称 hf.co/OWNER/REPO:Q4_K_M 找到。</translation>
    </message>
    <message>
        <source>Give the address of a server, such as http://127.0.0.1:8080.</source>
        <translation>请给出服务器的地址，例如 http://127.0.0.1:8080。</translation>
    </message>
    <message>
        <source>The server, or a proxy on the way to it, violates HTTP.</source>
        <translation>服务器或途中的代理违反了 HTTP。</translation>
    </message>
    <message>
        <source>The server may be misconfigured, or not be the one that you mean. If you know where the file is, give that address.</source>
        <translation>服务器可能配置有误，或不是想要的服务器。如果知道文件的位置，请给出该地址。</translation>
    </message>
    <message>
        <source>The connection may have been interrupted: try again.</source>
        <translation>连接可能已中断：请重试。</translation>
    </message>
    <message>
        <source>Use https if the server has it. To use http nevertheless, agree to it in the window (Open Address), or for gufo-cli name the host in GUFO_PLAIN_HOSTS.</source>
        <translation>如果服务器支持，请使用 https。如仍要使用 http，请在窗口中同意（“打开地址”），或为 gufo-cli 在 GUFO_PLAIN_HOSTS 中列出该主机。</translation>
    </message>
    <message>
        <source>Use https if the server has it. To use http nevertheless, agree to it for this server under Open Address.</source>
        <translation>如果服务器支持，请使用 https。如仍要使用 http，请在“打开地址”中针对此服务器同意。</translation>
    </message>
    <message>
        <source>Use https if the server has it. To use http nevertheless, name the host in the environment variable GUFO_PLAIN_HOSTS.</source>
        <translation>如果服务器支持，请使用 https。如仍要使用 http，请在环境变量 GUFO_PLAIN_HOSTS 中列出该主机。</translation>
    </message>
    <message>
        <source>Remove it: everyone who sees the address would know it. A token of Hugging Face belongs in HF_TOKEN.</source>
        <translation>请将其移除：看到该地址的人都会知道它。Hugging Face 的访问令牌应放在 HF_TOKEN 中。</translation>
    </message>
    <message>
        <source>Remove it: everyone who sees the address would know it. A key has a field of its own.</source>
        <translation>请将其移除：看到该地址的人都会知道它。密钥有单独的输入栏。</translation>
    </message>
    <message>
        <source>Remove it: everyone who sees the address would know it. A key is given with --engine-key-file, or in the environment variable GUFO_ENGINE_KEY.</source>
        <translation>请将其移除：看到该地址的人都会知道它。密钥应以 --engine-key-file 给出，或放在环境变量 GUFO_ENGINE_KEY 中。</translation>
    </message>
    <message>
        <source>Download the file, and open it from the disk.</source>
        <translation>请下载该文件，再从磁盘打开。</translation>
    </message>
    <message>
        <source>Check the address. A large file that is not GGUF has to be downloaded before it is opened.</source>
        <translation>请检查地址。不是 GGUF 的大文件必须先下载再打开。</translation>
    </message>
    <message>
        <source>The server contradicts its own list of files: try again later.</source>
        <translation>服务器与它自己的文件列表矛盾：请稍后重试。</translation>
    </message>
    <message>
        <source>Something else may have replied, such as the login page of a network: check the address and the connection with a browser.</source>
        <translation>答复的可能是别的东西，例如网络的登录页面：请用浏览器检查地址和连接。</translation>
    </message>
    <message>
        <source>Unpack it, and open the model that is in it.</source>
        <translation>请解压，然后打开其中的模型。</translation>
    </message>
    <message>
        <source>Use it with whisper.cpp, which detects speech with it.</source>
        <translation>请用 whisper.cpp 使用它，whisper.cpp 用它检测语音。</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>an error without a text</source>
        <translation>没有说明文字的错误</translation>
    </message>
    <message>
        <source>part %1</source>
        <translation>分片 %1</translation>
    </message>
    <message>
        <source>key %1</source>
        <translation>键 %1</translation>
    </message>
    <message>
        <source>tensor %1</source>
        <translation>张量 %1</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>词元 %1</translation>
    </message>
    <message>
        <source>file name %1</source>
        <translation>文件名 %1</translation>
    </message>
    <message>
        <source>byte %1</source>
        <translation>字节 %1</translation>
    </message>
</context>
<context>
    <name>gufo::FilterText</name>
    <message>
        <source>%1 is not a regular expression: %2</source>
        <translation>%1 不是正则表达式：%2</translation>
    </message>
    <message>
        <source>%1 is a regular expression without a / at its end</source>
        <translation>%1 是末尾没有 / 的正则表达式</translation>
    </message>
    <message>
        <source>%1 is not a size: write size:&gt;10M, size:&lt;=512K or size:1M..2G</source>
        <translation>%1 不是大小：请写作 size:&gt;10M、size:&lt;=512K 或 size:1M..2G</translation>
    </message>
    <message>
        <source>%1 is not a shape: write shape:4096x* or shape:128x64x8</source>
        <translation>%1 不是形状：请写作 shape:4096x* 或 shape:128x64x8</translation>
    </message>
    <message>
        <source>%1: there is no field &quot;%2&quot;; the fields are size, shape and type</source>
        <translation>%1：没有字段“%2”；可用的字段为 size、shape 和 type</translation>
    </message>
    <message>
        <source>%1 lacks what it should match</source>
        <translation>%1 缺少要匹配的内容</translation>
    </message>
    <message>
        <source>All terms must hold:
attn_q, blk.17, ffn_* – a part of the name
Q6_K, type:IQ* – the type
size:&gt;10M, size:1M..2G – the bytes
shape:4096x* – the dimensions
/^blk\.\d+/ – a regular expression
-ffn, !type:F32 – exclude</source>
        <translation>必须满足所有条件：
attn_q, blk.17, ffn_* – 名称的一部分
Q6_K, type:IQ* – 类型
size:&gt;10M, size:1M..2G – 字节数
shape:4096x* – 维度
/^blk\.\d+/ – 正则表达式
-ffn, !type:F32 – 排除</translation>
    </message>
    <message>
        <source>Filter: name, ffn_*, -attn, Q6_K, size:&gt;10M, shape:4096x*</source>
        <translation>筛选：名称、ffn_*、-attn、Q6_K、size:&gt;10M、shape:4096x*</translation>
    </message>
</context>
<context>
    <name>gufo::Format</name>
    <message numerus="yes">
        <source>%n bytes</source>
        <translation>
            <numerusform>%n 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>KiB</source>
        <translation>KiB</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>TiB</source>
        <translation>TiB</translation>
    </message>
    <message>
        <source>PiB</source>
        <translation>PiB</translation>
    </message>
    <message>
        <source>EiB</source>
        <translation>EiB</translation>
    </message>
</context>
<context>
    <name>gufo::ModelFiles</name>
    <message>
        <source>%1 models (%2)</source>
        <translation>%1 模型 (%2)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Models (%1)</source>
        <translation>模型 (%1)</translation>
    </message>
</context>
<context>
    <name>gufo::SaveText</name>
    <message>
        <source>Unchanged</source>
        <translation>未更改</translation>
    </message>
    <message>
        <source>nothing is written</source>
        <translation>不写入任何内容</translation>
    </message>
    <message>
        <source>Patch</source>
        <translation>修补</translation>
    </message>
    <message>
        <source>only the header is written; the tensor data is not moved</source>
        <translation>只写入文件头；张量数据不移动</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>移位</translation>
    </message>
    <message>
        <source>the file system inserts or removes space before the tensor data; only the header is written</source>
        <translation>文件系统在张量数据之前插入或移除空间；只写入文件头</translation>
    </message>
    <message>
        <source>Clone</source>
        <translation>克隆</translation>
    </message>
    <message>
        <source>a new file shares the tensor data with the old one and replaces it</source>
        <translation>新文件与旧文件共享张量数据，并替换旧文件</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>a complete new file is written and replaces the old one</source>
        <translation>写出完整的新文件，并替换旧文件</translation>
    </message>
    <message>
        <source>nothing has changed</source>
        <translation>没有任何更改</translation>
    </message>
    <message>
        <source>the header is as long as before</source>
        <translation>文件头的长度不变</translation>
    </message>
    <message numerus="yes">
        <source>the difference fits into the reserved space, of which %1 bytes remain</source>
        <translation>
            <numerusform>差异可放入预留空间，其中还剩 %1 个字节</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the header grew by %1 bytes</source>
        <translation>
            <numerusform>文件头增长了 %1 个字节</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the header shrank by %1 bytes</source>
        <translation>
            <numerusform>文件头缩短了 %1 个字节</numerusform>
        </translation>
    </message>
    <message>
        <source>this strategy was requested</source>
        <translation>已要求使用此策略</translation>
    </message>
    <message>
        <source>it is saved as another file</source>
        <translation>保存为另一个文件</translation>
    </message>
    <message>
        <source>deleting, reordering or importing tensors moves others</source>
        <translation>删除、重新排序或导入张量会移动其他张量</translation>
    </message>
    <message>
        <source>the alignment changes from %1 to %2</source>
        <translation>对齐从 %1 改为 %2</translation>
    </message>
    <message>
        <source>the byte order changes</source>
        <translation>字节序改变</translation>
    </message>
    <message>
        <source>the tensors were not packed, as runtimes require</source>
        <translation>张量没有按运行时的要求紧密排列</translation>
    </message>
    <message numerus="yes">
        <source>what follows the last tensor changes by %1 bytes</source>
        <translation>
            <numerusform>最后一个张量之后的内容变化 %1 个字节</numerusform>
        </translation>
    </message>
    <message>
        <source>the header did not change by a whole number of file-system blocks, and reserving space is disabled</source>
        <translation>文件头的变化不是文件系统块的整数倍，且已禁用预留空间</translation>
    </message>
    <message>
        <source>the header did not change by a whole number of file-system blocks</source>
        <translation>文件头的变化不是文件系统块的整数倍</translation>
    </message>
    <message>
        <source>the file system cannot insert or remove blocks in a file</source>
        <translation>文件系统不能在文件中插入或移除块</translation>
    </message>
    <message>
        <source>the file system cannot share blocks between files</source>
        <translation>文件系统不能在文件之间共享块</translation>
    </message>
    <message>
        <source>the file is in %1 fragments on the disk; at most %2 can be shifted</source>
        <translation>文件在磁盘上有 %1 个碎片；最多可移位 %2 个</translation>
    </message>
    <message>
        <source>the file is too small to insert blocks in it</source>
        <translation>文件太小，无法在其中插入块</translation>
    </message>
    <message>
        <source>another program has the file open</source>
        <translation>另一个程序打开了该文件</translation>
    </message>
    <message>
        <source>this program is running the model</source>
        <translation>此程序正在运行该模型</translation>
    </message>
    <message>
        <source>the file belongs to another user, so it is unknown whether another program has it open</source>
        <translation>文件属于另一个用户，因此无法得知是否有其他程序打开了它</translation>
    </message>
    <message>
        <source>the file system does not report whether another program has the file open</source>
        <translation>文件系统无法说明是否有其他程序打开了该文件</translation>
    </message>
    <message>
        <source>the file&apos;s name is too long for a journal beside it</source>
        <translation>文件名太长，旁边无法放置日志</translation>
    </message>
    <message>
        <source>the header has %1 bytes; at most %2 can be changed in place</source>
        <translation>文件头有 %1 个字节；最多可原地更改 %2 个</translation>
    </message>
    <message>
        <source>another part of the model has to be copied, and all parts change together</source>
        <translation>模型的另一个分片必须复制，而所有分片一同更改</translation>
    </message>
    <message>
        <source>The header gets %1 of reserved space, so that later edits need not move the weights.</source>
        <translation>文件头会得到 %1 的预留空间，使以后的编辑无需移动权重。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>约剩 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n other names of the file (hard links) keep the old content.</source>
        <translation>
            <numerusform>该文件的另外 %n 个名称（硬链接）保留旧内容。</numerusform>
        </translation>
    </message>
    <message>
        <source>Saving asks what to do: %1.</source>
        <translation>保存时会询问如何处理：%1。</translation>
    </message>
    <message>
        <source>It can only be saved under another name: %1.</source>
        <translation>只能以其他名称保存：%1。</translation>
    </message>
    <message>
        <source>It should be saved under another name: %1.</source>
        <translation>应以其他名称保存：%1。</translation>
    </message>
    <message>
        <source>Nothing needs to be written.</source>
        <translation>无需写入任何内容。</translation>
    </message>
    <message>
        <source>Saving writes a new file of %1 (%2): %3.</source>
        <translation>保存会写出一个 %1 的新文件（%2）：%3。</translation>
    </message>
    <message>
        <source>It takes about %1.</source>
        <translation>大约需要 %1。</translation>
    </message>
    <message>
        <source>Saving writes %1 of header into a new file that shares the rest (%2): %3.</source>
        <translation>保存会将 %1 的文件头写入新文件，其余部分共享（%2）：%3。</translation>
    </message>
    <message>
        <source>Saving writes %1 of header in place (%2), and %3 to a journal that is then removed.</source>
        <translation>保存会原地写入 %1 的文件头（%2），并将 %3 写入日志，随后移除日志。</translation>
    </message>
    <message>
        <source>The %1 of tensor data are not written.</source>
        <translation>%1 的张量数据不会写入。</translation>
    </message>
    <message numerus="yes">
        <source>%n files of the set change.</source>
        <translation>
            <numerusform>分片组中有 %n 个文件更改。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing needed to be written.</source>
        <translation>无需写入任何内容。</translation>
    </message>
    <message>
        <source>By %1 in %2, %3 written.</source>
        <translation>方式：%1；用时 %2，写入 %3。</translation>
    </message>
    <message>
        <source>SHA-256 of all tensor data before and after: %1, equal.</source>
        <translation>保存前后所有张量数据的 SHA-256：%1，相同。</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>未更改</translation>
    </message>
    <message>
        <source>patch</source>
        <translation>修补</translation>
    </message>
    <message>
        <source>shift</source>
        <translation>移位</translation>
    </message>
    <message>
        <source>clone</source>
        <translation>克隆</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>gufo::SpeedText</name>
    <message numerus="yes">
        <source>%n s left</source>
        <translation>
            <numerusform>剩余 %n 秒</numerusform>
        </translation>
    </message>
    <message>
        <source>%1/s, %2</source>
        <translation>%1/秒，%2</translation>
    </message>
</context>
<context>
    <name>gufo::SpokenNames</name>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
</context>
<context>
    <name>gufo::TemplateText</name>
    <message>
        <source>The character %1 is not allowed here.</source>
        <translation>此处不允许字符 %1。</translation>
    </message>
    <message>
        <source>%1 is not expected here.</source>
        <translation>此处不应出现 %1。</translation>
    </message>
    <message>
        <source>The tag ends too early.</source>
        <translation>标签过早结束。</translation>
    </message>
    <message>
        <source>= assigns; to compare, write ==.</source>
        <translation>= 用于赋值；比较请写 ==。</translation>
    </message>
    <message>
        <source>One test cannot follow another: join them with &quot;and&quot;.</source>
        <translation>一个测试不能紧跟另一个测试：请用“and”连接。</translation>
    </message>
    <message>
        <source>%1 is not followed by the hexadecimal digits that it needs.</source>
        <translation>%1 之后缺少所需的十六进制数字。</translation>
    </message>
    <message>
        <source>Nothing can be assigned to this.</source>
        <translation>无法对此赋值。</translation>
    </message>
    <message>
        <source>The name of the tag is missing.</source>
        <translation>缺少标签的名称。</translation>
    </message>
    <message>
        <source>There is no tag %1.</source>
        <translation>没有标签 %1。</translation>
    </message>
    <message>
        <source>%1 is not supported: chat templates cannot refer to other files.</source>
        <translation>不支持 %1：聊天模板不能引用其他文件。</translation>
    </message>
    <message>
        <source>%1 is outside of the tag that it belongs to.</source>
        <translation>%1 在其所属的标签之外。</translation>
    </message>
    <message>
        <source>There is no open block for %1 to close.</source>
        <translation>没有可供 %1 闭合的代码块。</translation>
    </message>
    <message>
        <source>Found %1, but expected %2 for the %3 in line %4.</source>
        <translation>遇到 %1，但第 %4 行的 %3 应有 %2。</translation>
    </message>
    <message>
        <source>This %1 is never closed.</source>
        <translation>此 %1 没有闭合。</translation>
    </message>
    <message>
        <source>%1 is never closed by %2.</source>
        <translation>%1 没有用 %2 闭合。</translation>
    </message>
    <message>
        <source>%1 is never closed.</source>
        <translation>%1 没有闭合。</translation>
    </message>
    <message>
        <source>The string that starts with %1 here is never closed.</source>
        <translation>从此处 %1 开始的字符串没有闭合。</translation>
    </message>
    <message>
        <source>The comment is never closed.</source>
        <translation>注释没有闭合。</translation>
    </message>
    <message>
        <source>It is nested too deeply or calls itself endlessly.</source>
        <translation>它嵌套过深，或无休止地调用自身。</translation>
    </message>
    <message>
        <source>There is no filter %1.</source>
        <translation>没有过滤器 %1。</translation>
    </message>
    <message>
        <source>There is no test %1.</source>
        <translation>没有测试 %1。</translation>
    </message>
    <message>
        <source>There is no function %1.</source>
        <translation>没有函数 %1。</translation>
    </message>
    <message>
        <source>%1 is not supported.</source>
        <translation>不支持 %1。</translation>
    </message>
    <message>
        <source>The template refuses this conversation: %1</source>
        <translation>模板拒绝此对话：%1</translation>
    </message>
    <message>
        <source>%2 (%1)</source>
        <translation>%2（%1）</translation>
    </message>
    <message>
        <source>This integer has too many digits.</source>
        <translation>此整数的位数过多。</translation>
    </message>
    <message>
        <source>The rendering is longer than 16 million characters.</source>
        <translation>渲染结果超过 1600 万个字符。</translation>
    </message>
    <message>
        <source>The variable %1 is not valid JSON: line %2, column %3.</source>
        <translation>变量 %1 不是有效的 JSON：第 %2 行第 %3 列。</translation>
    </message>
    <message>
        <source>It did not finish within a second.</source>
        <translation>它没有在一秒内完成。</translation>
    </message>
    <message>
        <source>It needs more than 400 MB of memory.</source>
        <translation>它需要超过 400 MB 的内存。</translation>
    </message>
    <message>
        <source>The rendering process ended unexpectedly.</source>
        <translation>渲染进程意外结束。</translation>
    </message>
    <message>
        <source>The program gufo-render-helper, which renders templates, could not be started. Is Gufo installed completely?</source>
        <translation>无法启动渲染模板的程序 gufo-render-helper。Gufo 是否安装完整？</translation>
    </message>
    <message>
        <source>The template engine failed: %1</source>
        <translation>模板引擎失败：%1</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>是不是想写 %1？</translation>
    </message>
    <message>
        <source>A %1 cannot be a key of a dictionary.</source>
        <translation>%1 不能作为字典的键。</translation>
    </message>
</context>
<context>
    <name>gufo::Tensors</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Weights along each dimension, fastest first: columns × rows</source>
        <translation>各维度的权重数，变化最快的在前：列 × 行</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bytes in the file</source>
        <translation>在文件中的字节数</translation>
    </message>
    <message>
        <source>σ</source>
        <translation>σ</translation>
    </message>
    <message>
        <source>Standard deviation of the weights, computed in the background</source>
        <translation>权重的标准差，在后台计算</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Weights in equal bins over mean ± 4σ</source>
        <translation>均值 ± 4σ 范围内等宽区间中的权重</translation>
    </message>
    <message>
        <source>Bits/weight</source>
        <translation>位/权重</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>First byte of the tensor in its file</source>
        <translation>张量在其文件中的第一个字节</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Added: its bytes come from another file</source>
        <translation>已添加：其字节来自另一个文件</translation>
    </message>
    <message>
        <source>Replaced by a tensor of another file</source>
        <translation>已由另一个文件的张量替换</translation>
    </message>
    <message>
        <source>Was called %1</source>
        <translation>原名 %1</translation>
    </message>
    <message>
        <source>Moved to another place</source>
        <translation>已移到其他位置</translation>
    </message>
    <message>
        <source>The size of this type is unknown.</source>
        <translation>此类型的大小未知。</translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation>
            <numerusform>%1 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, of which %2 are in the file</source>
        <translation>%1，其中 %2 在文件中</translation>
    </message>
    <message>
        <source>Weights in equal bins over mean ± 4σ; of norms and biases, the values in their order</source>
        <translation>均值 ± 4σ 范围内等宽区间的权重；归一化层和偏置则按顺序显示各值</translation>
    </message>
    <message numerus="yes">
        <source>%1 values in their order, from %2 to %3</source>
        <translation>
            <numerusform>按顺序的 %1 个值，从 %2 到 %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::cli::Cli</name>
    <message>
        <source>the value is not valid JSON of type %1: %2</source>
        <translation>该值不是类型为 %1 的有效 JSON：%2</translation>
    </message>
    <message>
        <source>−1 is no token id; for a model without such a token, use --delete %1</source>
        <translation>−1 不是词元 ID；对于没有此词元的模型，请使用 --delete %1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a type; the types are u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 bool str, and arr[…] of these</source>
        <translation>“%1”不是类型；可用的类型为 u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 bool str，以及由它们组成的 arr[…]</translation>
    </message>
    <message>
        <source>&quot;%1&quot; should be NAME=VALUE</source>
        <translation>“%1”应为 NAME=VALUE 形式</translation>
    </message>
    <message>
        <source>the model has no array %1</source>
        <translation>模型没有数组 %1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a position; elements are numbered from 0</source>
        <translation>“%1”不是位置；元素从 0 开始编号</translation>
    </message>
    <message>
        <source>%1: the model has no chat template; choose one with --template: a file, or chatml, alpaca or plain</source>
        <translation>%1：模型没有聊天模板；请用 --template 选择：文件，或 chatml、alpaca、plain</translation>
    </message>
    <message>
        <source>chat: --arg takes NAME=JSON, not &quot;%1&quot;</source>
        <translation>chat：--arg 接受 NAME=JSON，而不是“%1”</translation>
    </message>
    <message>
        <source>chat: --think needs an engine that runs the model itself, not a server</source>
        <translation>chat：--think 需要自行运行模型的引擎，而不是服务器</translation>
    </message>
    <message>
        <source>chat: --think: this chat template has no thoughts; leave the option out, or choose another template with --template</source>
        <translation>chat：--think：此聊天模板没有思考；请去掉该选项，或用 --template 选择其他模板</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>line %1, column %2: </source>
        <translation>第 %1 行第 %2 列：</translation>
    </message>
    <message>
        <source>the chat template: %1%2</source>
        <translation>聊天模板：%1%2</translation>
    </message>
    <message>
        <source>chat: the template renders the conversation to an empty text</source>
        <translation>chat：模板将对话渲染为空文本</translation>
    </message>
    <message numerus="yes">
        <source>chat: the last message takes %n tokens, but the context holds only %1: use a larger --context</source>
        <translation>
            <numerusform>chat：最后一条消息占 %n 个词元，但上下文只能容纳 %1 个：请使用更大的 --context</numerusform>
        </translation>
    </message>
    <message>
        <source>reading the conversation</source>
        <translation>正在读取对话</translation>
    </message>
    <message>
        <source>this chat template does not show how tool calls are written; calls in an unusual format appear as text</source>
        <translation>此聊天模板没有展示如何书写工具调用；格式不寻常的调用会显示为文本</translation>
    </message>
    <message>
        <source>; the context is full</source>
        <translation>；上下文已满</translation>
    </message>
    <message>
        <source>; stopped</source>
        <translation>；已停止</translation>
    </message>
    <message>
        <source>; no token satisfies the grammar</source>
        <translation>；没有词元满足语法</translation>
    </message>
    <message>
        <source>; the server&apos;s content filter has ended the answer</source>
        <translation>；服务器的内容过滤器结束了回答</translation>
    </message>
    <message>
        <source>; the server has refused to answer</source>
        <translation>；服务器拒绝回答</translation>
    </message>
    <message>
        <source>, %1 tokens/s</source>
        <translation>，%1 词元/秒</translation>
    </message>
    <message numerus="yes">
        <source>the %n oldest messages did not fit into the context and were left out; see --context</source>
        <translation>
            <numerusform>最早的 %n 条消息放不进上下文，已略去；参见 --context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n older tokens of the answer did not fit into the context and were left out; see --context</source>
        <translation>
            <numerusform>回答中较早的 %n 个词元放不进上下文，已略去；参见 --context</numerusform>
        </translation>
    </message>
    <message>
        <source>prompt: %1, %2 of them reused%3; answer: %4%5%6%7</source>
        <translation>提示词：%1，其中重用 %2%3；回答：%4%5%6%7</translation>
    </message>
    <message>
        <source>%1: %2 tokens do not fit in a context of %3; see --context</source>
        <translation>%1：%2 个词元放不进 %3 的上下文；参见 --context</translation>
    </message>
    <message>
        <source>%1: --mtp is not possible, because %2</source>
        <translation>%1：无法使用 --mtp，因为%2</translation>
    </message>
    <message>
        <source>%1: only one of --draft, --lookup and --mtp can be given</source>
        <translation>%1：--draft、--lookup 和 --mtp 只能给出一个</translation>
    </message>
    <message>
        <source>%1: %2; a draft needs a model of the same vocabulary</source>
        <translation>%1：%2；草稿模型必须与模型词表相同</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n drafted tokens accepted</source>
        <translation>
            <numerusform>%n 个草稿词元中接受了 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing has changed, and nothing was written.</source>
        <translation>没有任何更改，也没有写入任何内容。</translation>
    </message>
    <message>
        <source>%1: %2, %3 written (%4)</source>
        <translation>%1：%2，写入 %3（%4）</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>Tensor bytes before: SHA-256 %1</source>
        <translation>之前的张量字节：SHA-256 %1</translation>
    </message>
    <message>
        <source>Tensor bytes after:  SHA-256 %1</source>
        <translation>之后的张量字节：SHA-256 %1</translation>
    </message>
    <message>
        <source>%1: the model has no ranking head (cls.output.weight), so it scores no texts; gufo-cli embed makes vectors of them, whose cosine says how similar they are</source>
        <translation>%1：模型没有排序头（cls.output.weight），因此不能给文本打分；gufo-cli embed 可由文本得出向量，其余弦值表示文本的相似程度</translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation>正在计算</translation>
    </message>
    <message>
        <source>%1: a text has no tokens, and the model adds none of its own</source>
        <translation>%1：有一个文本没有词元，模型自身也不添加词元</translation>
    </message>
    <message>
        <source>%1: the file contains no key</source>
        <translation>%1：该文件不含密钥</translation>
    </message>
    <message>
        <source>%1: --engine takes an engine of this computer (%2), or the address of a server, such as http://127.0.0.1:8080</source>
        <translation>%1：--engine 接受本机的引擎（%2），或服务器的地址，例如 http://127.0.0.1:8080</translation>
    </message>
    <message>
        <source>, not &quot;%1&quot;</source>
        <translation>，而不是“%1”</translation>
    </message>
    <message>
        <source>%1: --engine-key-file is for a server, whose address --engine takes</source>
        <translation>%1：--engine-key-file 用于服务器，其地址由 --engine 给出</translation>
    </message>
    <message>
        <source>%1: --%2 has no effect with the engine &quot;%3&quot;, only with: %4</source>
        <translation>%1：--%2 对引擎“%3”不起作用，仅适用于：%4</translation>
    </message>
    <message>
        <source>%1: the key of the server has several lines, or other characters that no key has</source>
        <translation>%1：服务器的密钥有多行，或含有密钥中不会出现的字符</translation>
    </message>
    <message>
        <source>%1 is damaged or belongs to another model, so it is not used and its prompt is evaluated</source>
        <translation>%1 已损坏或属于另一个模型，因此不使用它，并重新计算其提示词</translation>
    </message>
    <message numerus="yes">
        <source>%n events of the server could not be read and were skipped; the answer may be incomplete</source>
        <translation>
            <numerusform>服务器的 %n 个事件无法读取，已跳过；回答可能不完整</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: read as control tokens; --literal-content keeps them as text</source>
        <translation>%1：读作控制词元；--literal-content 将其保留为文本</translation>
    </message>
    <message>
        <source>--%1 takes a number greater than 0</source>
        <translation>--%1 接受大于 0 的数字</translation>
    </message>
    <message>
        <source>--rope-scaling takes none, linear or yarn, not &quot;%1&quot;</source>
        <translation>--rope-scaling 接受 none、linear 或 yarn，而不是“%1”</translation>
    </message>
    <message>
        <source>--rope-scaling none and --rope-scale cannot be combined</source>
        <translation>--rope-scaling none 与 --rope-scale 不能同时使用</translation>
    </message>
    <message>
        <source>--rope-scaling %1 needs --rope-scale</source>
        <translation>--rope-scaling %1 需要 --rope-scale</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a token id: a whole number from 0 up</source>
        <translation>“%1”不是词元 ID：应为从 0 起的整数</translation>
    </message>
    <message>
        <source>--%1 takes %2, not &quot;%3&quot;</source>
        <translation>--%1 接受%2，而不是“%3”</translation>
    </message>
    <message>
        <source>The weights need %1, but only %2 of memory are free: parts of the file will be read again for every token, which is slow.</source>
        <translation>权重需要 %1，但只有 %2 内存可用：每个词元都要重新读取文件的部分内容，速度会很慢。</translation>
    </message>
    <message>
        <source>The architecture %1 does not use RoPE: the --rope options have no effect.</source>
        <translation>架构 %1 不使用 RoPE：--rope 选项不起作用。</translation>
    </message>
    <message>
        <source>A context of %1 tokens is longer than the %2 that the model was trained with: its output beyond them may make no sense. --rope-scale or --rope-base can extend it.</source>
        <translation>%1 个词元的上下文超过模型训练时的 %2：超出部分的输出可能没有意义。--rope-scale 或 --rope-base 可以扩展它。</translation>
    </message>
    <message>
        <source>%1: the file contains no model that can be run: %2</source>
        <translation>%1：文件不含可运行的模型：%2</translation>
    </message>
    <message>
        <source>an encoder with a decoder (%1), of which Gufo runs only the encoder</source>
        <translation>带解码器的编码器（%1），Gufo 只运行其编码器</translation>
    </message>
    <message>
        <source>an encoder (%1)</source>
        <translation>编码器（%1）</translation>
    </message>
    <message>
        <source>a model whose tokens attend to later ones</source>
        <translation>词元会关注后续词元的模型</translation>
    </message>
    <message>
        <source>%1: the file is %2, which embeds texts and does not generate any; use gufo-cli embed, or gufo-cli rerank if it ranks texts</source>
        <translation>%1：该文件是%2，用于嵌入文本而不生成文本；请使用 gufo-cli embed，如果它用于文本排序则使用 gufo-cli rerank</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>%1: --%2 and --%3 cannot be combined</source>
        <translation>%1：--%2 与 --%3 不能同时使用</translation>
    </message>
    <message>
        <source>%1: --schema-relaxed needs --json-schema or --json-schema-text</source>
        <translation>%1：--schema-relaxed 需要 --json-schema 或 --json-schema-text</translation>
    </message>
    <message>
        <source>--schema-relaxed: %1 is ignored; the answer may violate it</source>
        <translation>--schema-relaxed：忽略 %1；回答可能违反它</translation>
    </message>
    <message numerus="yes">
        <source>the vocabulary has %n tokens, and none with the id %1</source>
        <translation>
            <numerusform>词表有 %n 个词元，没有 ID 为 %1 的词元</numerusform>
        </translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a single token but %2; give ids, which gufo-cli tokenize prints</source>
        <translation>“%1”不是单个词元，而是 %2；请给出 ID，可用 gufo-cli tokenize 输出</translation>
    </message>
    <message>
        <source>--logit-bias takes TOKEN=NUMBER, or TOKEN=-inf, not &quot;%1&quot;</source>
        <translation>--logit-bias 接受 TOKEN=NUMBER 或 TOKEN=-inf，而不是“%1”</translation>
    </message>
    <message>
        <source>--repeat-penalty takes a number greater than 0</source>
        <translation>--repeat-penalty 接受大于 0 的数字</translation>
    </message>
    <message>
        <source>the text of --stop must not be empty</source>
        <translation>--stop 的文本不能为空</translation>
    </message>
    <message>
        <source>--ignore-eos needs -n N, because the text would never end</source>
        <translation>--ignore-eos 需要 -n N，因为文本永远不会结束</translation>
    </message>
    <message>
        <source>The model recommends %1 (general.sampling), which is used; options override it.</source>
        <translation>模型推荐 %1（general.sampling），已采用；选项会覆盖它。</translation>
    </message>
    <message>
        <source>%1: --literal-content is not possible: the server makes the tokens</source>
        <translation>%1：无法使用 --literal-content：词元由服务器生成</translation>
    </message>
    <message>
        <source>--logit-bias takes TOKEN=NUMBER</source>
        <translation>--logit-bias 接受 TOKEN=NUMBER</translation>
    </message>
    <message>
        <source>print JSON (documented in app/cli/JSON.md)</source>
        <translation>输出 JSON（说明见 app/cli/JSON.md）</translation>
    </message>
    <message>
        <source>replace an existing file</source>
        <translation>替换现有文件</translation>
    </message>
    <message>
        <source>print this help</source>
        <translation>输出此帮助</translation>
    </message>
    <message>
        <source>How the next token is chosen</source>
        <translation>如何选择下一个词元</translation>
    </message>
    <message>
        <source>What the answer may be</source>
        <translation>回答可以是什么</translation>
    </message>
    <message>
        <source>Faster generation with the same answers</source>
        <translation>回答相同、生成更快</translation>
    </message>
    <message>
        <source>Memory, threads and positions</source>
        <translation>内存、线程和位置</translation>
    </message>
    <message>
        <source>Weights of another file</source>
        <translation>另一个文件的权重</translation>
    </message>
    <message>
        <source>Other engines and servers</source>
        <translation>其他引擎和服务器</translation>
    </message>
    <message>
        <source>gufo-cli VERB …: inspects, edits, compares and runs GGUF model files.</source>
        <translation>gufo-cli VERB …：检查、编辑、比较和运行 GGUF 模型文件。</translation>
    </message>
    <message>
        <source>All verbs accept --json. &quot;gufo-cli help VERB&quot; describes a verb; --version prints the version.
Exit codes: 0 success; 1 validate found a warning or an error, or compare a difference; 2 wrong usage, unreadable file or another failure; 128 + signal if cancelled.</source>
        <translation>所有命令都接受 --json。“gufo-cli help VERB”说明一个命令；--version 输出版本。
退出码：0 成功；1 validate 发现警告或错误，或 compare 发现差异；2 用法错误、文件不可读或其他失败；128 + 信号编号表示已取消。</translation>
    </message>
    <message>
        <source>Lists the verbs, or describes a verb. Where a verb has many options, those of a topic are described on their own; the topic &quot;%1&quot; stands for all.</source>
        <translation>列出命令，或说明一个命令。命令选项较多时，各主题的选项单独说明；主题“%1”代表全部。</translation>
    </message>
    <message>
        <source>Further options, described by &quot;gufo-cli help %1 TOPIC&quot;:</source>
        <translation>更多选项，由“gufo-cli help %1 TOPIC”说明：</translation>
    </message>
    <message>
        <source>&quot;gufo-cli help %1 all&quot; describes all options.</source>
        <translation>“gufo-cli help %1 all”说明所有选项。</translation>
    </message>
    <message>
        <source>there is no option %1; see gufo-cli help %2</source>
        <translation>没有选项 %1；参见 gufo-cli help %2</translation>
    </message>
    <message>
        <source>an argument is missing</source>
        <translation>缺少一个参数</translation>
    </message>
    <message numerus="yes">
        <source>%1 arguments are too many: at most %n can be given</source>
        <translation>
            <numerusform>给出了 %1 个参数，过多：最多可给出 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; usage: gufo-cli %2 %3</source>
        <translation>%1；用法：gufo-cli %2 %3</translation>
    </message>
    <message>
        <source>%1 takes a whole number from %2 to %3, not &quot;%4&quot;</source>
        <translation>%1 接受 %2 到 %3 之间的整数，而不是“%4”</translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation>%1 到 %2 之间的数字</translation>
    </message>
    <message>
        <source>a number of at least %1</source>
        <translation>不小于 %1 的数字</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>%1: there is no such file. If it is the name of a model on Hugging Face, write %2.</source>
        <translation>%1：没有这样的文件。如果它是 Hugging Face 上模型的名称，请写 %2。</translation>
    </message>
    <message>
        <source>%1 reads or writes whole files on this computer, and takes no address: download the model first</source>
        <translation>%1 读写本机上的完整文件，不接受地址：请先下载模型</translation>
    </message>
    <message>
        <source>there is no verb &quot;%1&quot;; see gufo-cli help</source>
        <translation>没有命令“%1”；参见 gufo-cli help</translation>
    </message>
    <message>
        <source>the help of %1 has no topic &quot;%2&quot;; there are: %3</source>
        <translation>%1 的帮助没有主题“%2”；可用的主题：%3</translation>
    </message>
    <message>
        <source>a verb is missing; see gufo-cli help</source>
        <translation>缺少命令；参见 gufo-cli help</translation>
    </message>
    <message>
        <source>standard output</source>
        <translation>标准输出</translation>
    </message>
    <message>
        <source>The chat template does not support tools: the model does not see those of --tools.</source>
        <translation>聊天模板不支持工具：模型看不到 --tools 给出的工具。</translation>
    </message>
    <message>
        <source>To do so: %1</source>
        <translation>如要这样做：%1</translation>
    </message>
    <message>
        <source>%1 is read, and cannot be replaced by the output: choose another name</source>
        <translation>%1 正在被读取，不能被输出替换：请选择其他名称</translation>
    </message>
    <message>
        <source>%1 exists; --force replaces it</source>
        <translation>%1 已存在；--force 可替换它</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
    </message>
    <message>
        <source>line %1: &quot;%2&quot; is not a regular expression: %3</source>
        <translation>第 %1 行：“%2”不是正则表达式：%3</translation>
    </message>
    <message>
        <source>no finding is called %1; gufo-cli validate FILE --json lists those of a file, with their codes</source>
        <translation>没有名为 %1 的问题；gufo-cli validate FILE --json 会列出文件的问题及其代码</translation>
    </message>
    <message>
        <source>%1 cannot be repaired: %2 %3</source>
        <translation>%1 无法修复：%2 %3</translation>
    </message>
    <message>
        <source>There is nothing to repair.</source>
        <translation>没有需要修复的内容。</translation>
    </message>
    <message>
        <source>Repair: %1 (%2)</source>
        <translation>修复：%1（%2）</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>prompt tokens per batch; default: 512</source>
        <translation>每批的提示词词元数；默认：512</translation>
    </message>
    <message>
        <source>TYPE</source>
        <translation>TYPE</translation>
    </message>
    <message>
        <source>type of the KV cache, by default f16: %1</source>
        <translation>KV 缓存的类型，默认 f16：%1</translation>
    </message>
    <message>
        <source>type of the keys only</source>
        <translation>仅键的类型</translation>
    </message>
    <message>
        <source>type of the values only</source>
        <translation>仅值的类型</translation>
    </message>
    <message>
        <source>number of threads; default: the physical cores</source>
        <translation>线程数；默认：物理核心数</translation>
    </message>
    <message>
        <source>METHOD</source>
        <translation>METHOD</translation>
    </message>
    <message>
        <source>RoPE scaling: none, linear or yarn; replaces all of the file&apos;s scaling</source>
        <translation>RoPE 缩放：none、linear 或 yarn；取代文件中的全部缩放设置</translation>
    </message>
    <message>
        <source>X</source>
        <translation>X</translation>
    </message>
    <message>
        <source>RoPE scaling factor; default: that of the file</source>
        <translation>RoPE 缩放因子；默认：文件中的值</translation>
    </message>
    <message>
        <source>RoPE base frequency; default: that of the file</source>
        <translation>RoPE 频率的基数；默认：文件中的值</translation>
    </message>
    <message>
        <source>context length before scaling, for yarn; default: that of the file</source>
        <translation>缩放前的上下文长度，用于 yarn；默认：文件中的值</translation>
    </message>
    <message>
        <source>REGEX=FILE</source>
        <translation>REGEX=FILE</translation>
    </message>
    <message>
        <source>run with the tensors of another file of this model whose names match, without writing anything; NAME[N] is the name of expert N in a stack; may be repeated, the first match counts</source>
        <translation>使用此模型另一个文件中名称匹配的张量运行，不写入任何内容；NAME[N] 表示专家堆叠张量中的第 N 个专家；可重复使用，以第一个匹配为准</translation>
    </message>
    <message>
        <source>context length in tokens; default: the trained length, at most 4096; generate and chat make it longer for a long prompt, up to the trained length</source>
        <translation>以词元为单位的上下文长度；默认：训练长度，最多 4096；提示词较长时，generate 和 chat 会将其加长，最多到训练长度</translation>
    </message>
    <message>
        <source>with --engine %1: layers on GPUs and other machines; default: all</source>
        <translation>与 --engine %1 一起使用：放在 GPU 和其他机器上的层数；默认：全部</translation>
    </message>
    <message>
        <source>HOST:PORT,…</source>
        <translation>HOST:PORT,…</translation>
    </message>
    <message>
        <source>with --engine %1: machines that run rpc-server; the connection is not encrypted</source>
        <translation>与 --engine %1 一起使用：运行 rpc-server 的机器；连接不加密</translation>
    </message>
    <message>
        <source>ENGINE</source>
        <translation>ENGINE</translation>
    </message>
    <message>
        <source>another engine of this computer, where it is installed (%1), or the address of a server (llama-server, or one with OpenAI&apos;s interface)</source>
        <translation>本机的另一个引擎（如已安装：%1），或服务器的地址（llama-server，或具有 OpenAI 接口的服务器）</translation>
    </message>
    <message>
        <source>FILE</source>
        <translation>FILE</translation>
    </message>
    <message>
        <source>file with the server&apos;s key; default: the environment variable GUFO_ENGINE_KEY</source>
        <translation>含有服务器密钥的文件；默认：环境变量 GUFO_ENGINE_KEY</translation>
    </message>
    <message>
        <source>context length in tokens; default: memory for the longest text, with the RoPE factors of the trained length</source>
        <translation>以词元为单位的上下文长度；默认：按最长文本分配内存，RoPE 因子取训练长度的因子</translation>
    </message>
    <message>
        <source>keep the N most likely tokens; default: 40; 0: off</source>
        <translation>保留最可能的 N 个词元；默认：40；0：关闭</translation>
    </message>
    <message>
        <source>keep the most likely tokens up to a total probability of X; default: 0.95; 1: off</source>
        <translation>保留最可能的词元，直到总概率达到 X；默认：0.95；1：关闭</translation>
    </message>
    <message>
        <source>keep tokens at least X times as likely as the most likely one; default: 0.05; 0: off</source>
        <translation>保留概率至少为最可能词元 X 倍的词元；默认：0.05；0：关闭</translation>
    </message>
    <message>
        <source>locally typical sampling with probability X; 1 (default): off</source>
        <translation>概率为 X 的局部典型采样；1（默认）：关闭</translation>
    </message>
    <message>
        <source>keep logits within X standard deviations of the largest; 0 (default): off</source>
        <translation>保留与最大值相差不超过 X 个标准差的 logits；0（默认）：关闭</translation>
    </message>
    <message>
        <source>XTC: probability of removing the most likely tokens; 0 (default): never</source>
        <translation>XTC：移除最可能词元的概率；0（默认）：从不</translation>
    </message>
    <message>
        <source>XTC: tokens from this probability up are removed; default: 0.1</source>
        <translation>XTC：从此概率起的词元会被移除；默认：0.1</translation>
    </message>
    <message>
        <source>dynamic temperature: vary it by ±X with the entropy; 0 (default): off</source>
        <translation>动态温度：随熵在 ±X 内变化；0（默认）：关闭</translation>
    </message>
    <message>
        <source>dynamic temperature: exponent; default: 1</source>
        <translation>动态温度：指数；默认：1</translation>
    </message>
    <message>
        <source>penalty for recently used tokens; 1 (default): off</source>
        <translation>对最近使用过的词元的惩罚；1（默认）：关闭</translation>
    </message>
    <message>
        <source>number of recent tokens that penalties apply to; default: 64</source>
        <translation>惩罚所考虑的最近词元数；默认：64</translation>
    </message>
    <message>
        <source>penalty for each recent use of a token; 0 (default): off</source>
        <translation>词元最近每使用一次所加的惩罚；0（默认）：关闭</translation>
    </message>
    <message>
        <source>penalty for each token that was used recently, however often; 0 (default): off</source>
        <translation>对最近使用过的每个词元的惩罚，与次数无关；0（默认）：关闭</translation>
    </message>
    <message>
        <source>DRY: penalty for repeating phrases; 0 (default): off</source>
        <translation>DRY：对重复短语的惩罚；0（默认）：关闭</translation>
    </message>
    <message>
        <source>DRY: factor per repeated token; default: 1.75</source>
        <translation>DRY：每个重复词元的因子；默认：1.75</translation>
    </message>
    <message>
        <source>DRY: repetitions up to N tokens are not penalised; default: 2</source>
        <translation>DRY：不超过 N 个词元的重复不受惩罚；默认：2</translation>
    </message>
    <message>
        <source>DRY: number of recent tokens to search; 0 (default): all</source>
        <translation>DRY：搜索的最近词元数；0（默认）：全部</translation>
    </message>
    <message>
        <source>Mirostat version 1 or 2: keeps the surprise constant; 0 (default): off</source>
        <translation>Mirostat 版本 1 或 2：使惊讶度保持恒定；0（默认）：关闭</translation>
    </message>
    <message>
        <source>Mirostat: target surprise in bits; default: 5</source>
        <translation>Mirostat：目标惊讶度，以比特为单位；默认：5</translation>
    </message>
    <message>
        <source>Mirostat: learning rate; default: 0.1</source>
        <translation>Mirostat：学习率；默认：0.1</translation>
    </message>
    <message>
        <source>TOKEN=X</source>
        <translation>TOKEN=X</translation>
    </message>
    <message>
        <source>add X to the logit of a token, given by id or text; -inf forbids it; may be repeated</source>
        <translation>为词元的 logit 加上 X，词元以 ID 或文本给出；-inf 表示禁止；可重复使用</translation>
    </message>
    <message>
        <source>constrain the output to a GBNF grammar (llama.cpp&apos;s format)</source>
        <translation>以 GBNF 语法（llama.cpp 的格式）约束输出</translation>
    </message>
    <message>
        <source>TEXT</source>
        <translation>TEXT</translation>
    </message>
    <message>
        <source>the same with the grammar as text: &apos;root ::= &quot;yes&quot; | &quot;no&quot;&apos;</source>
        <translation>同上，语法以文本给出：&apos;root ::= &quot;yes&quot; | &quot;no&quot;&apos;</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>the same with the schema as text</source>
        <translation>同上，Schema 以文本给出</translation>
    </message>
    <message>
        <source>ignore keywords of the schema that cannot be guaranteed, and name them</source>
        <translation>忽略 Schema 中无法保证的关键字，并列出它们</translation>
    </message>
    <message>
        <source>evaluate repetitions of earlier text several tokens at a time; the answer is the same, but is generated faster</source>
        <translation>对先前文本的重复部分一次计算多个词元；回答相同，但生成更快</translation>
    </message>
    <message>
        <source>speculative decoding with a smaller model of the same vocabulary</source>
        <translation>用词表相同的较小模型进行推测解码</translation>
    </message>
    <message>
        <source>speculative decoding with the model&apos;s own block that predicts further tokens (multi-token prediction), if the file has one</source>
        <translation>用模型自身预测后续词元的块进行推测解码（多词元预测），如果文件含有这样的块</translation>
    </message>
    <message>
        <source>cache evaluated prompts in the user&apos;s cache folder (up to 4 GiB), so that a known beginning of a prompt is not evaluated again</source>
        <translation>将计算过的提示词缓存在用户的缓存文件夹中（最多 4 GiB），使提示词的已知开头无需重新计算</translation>
    </message>
    <message>
        <source>generate at most N tokens; default: until the model ends</source>
        <translation>最多生成 N 个词元；默认：直到模型结束</translation>
    </message>
    <message>
        <source>stop before this text; may be repeated</source>
        <translation>在此文本之前停止；可重复使用</translation>
    </message>
    <message>
        <source>continue after the end-of-text token</source>
        <translation>遇到文本结尾词元后继续</translation>
    </message>
    <message>
        <source>temperature; default: 0.8; 0: the most likely token</source>
        <translation>温度；默认：0.8；0：最可能的词元</translation>
    </message>
    <message>
        <source>random seed; default: 0; the same seed gives the same text; -1: another seed each time, which --json names</source>
        <translation>随机种子；默认：0；相同的种子得到相同的文本；-1：每次使用不同的种子，--json 会给出该种子</translation>
    </message>
    <message>
        <source>keep the texts of control tokens, such as &lt;|im_end|&gt;, as text where they occur in a message or in the prompt; default: they become control tokens, as in transformers</source>
        <translation>将消息或提示词中出现的控制词元文本（例如 &lt;|im_end|&gt;）保留为文本；默认：与 transformers 一样变为控制词元</translation>
    </message>
    <message>
        <source>print numbers of tokens and speeds to standard error even if it is not a terminal</source>
        <translation>即使标准错误不是终端，也向其输出词元数和速度</translation>
    </message>
    <message>
        <source>FILTER</source>
        <translation>FILTER</translation>
    </message>
    <message>
        <source>only tensors for which all terms hold: ffn_* or Q6_K (a part of the name, or the type), type:IQ*, size:&gt;10M, size:1M..2G, shape:4096x*, /REGEX/, and -TERM or !TERM to exclude</source>
        <translation>只包括满足所有条件的张量：ffn_* 或 Q6_K（名称的一部分，或类型）、type:IQ*、size:&gt;10M、size:1M..2G、shape:4096x*、/REGEX/，以及用于排除的 -TERM 或 !TERM</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>是不是想写 %1？</translation>
    </message>
    <message>
        <source>models of type %1 can be read, but not written</source>
        <translation>%1 类型的模型可以读取，但不能写出</translation>
    </message>
    <message>
        <source>there is no quantisation type &quot;%1&quot;</source>
        <translation>没有量化类型“%1”</translation>
    </message>
    <message>
        <source>%1; the types that can be written are %2</source>
        <translation>%1；可以写入的类型为 %2</translation>
    </message>
    <message>
        <source>%1: %2; the models must have the same vocabulary</source>
        <translation>%1：%2；各模型的词表必须相同</translation>
    </message>
    <message>
        <source>%1: the engine &quot;%2&quot; cannot take tensors from several files (--with), only: %3</source>
        <translation>%1：引擎“%2”不能使用来自多个文件的张量（--with），可用的只有：%3</translation>
    </message>
    <message>
        <source>%1: --with and --keep-prompts cannot be combined</source>
        <translation>%1：--with 与 --keep-prompts 不能同时使用</translation>
    </message>
    <message>
        <source>%1: --with takes REGEX=FILE with a regular expression, not &quot;%2&quot;</source>
        <translation>%1：--with 接受带正则表达式的 REGEX=FILE，而不是“%2”</translation>
    </message>
    <message>
        <source>%1: the file has the architecture &quot;%2&quot;, but the model has &quot;%3&quot;</source>
        <translation>%1：文件的架构为“%2”，但模型的架构为“%3”</translation>
    </message>
    <message>
        <source>--with: no tensor matches &quot;%1&quot;</source>
        <translation>--with：没有张量匹配“%1”</translation>
    </message>
    <message>
        <source>--scale takes a number, not &quot;%1&quot;</source>
        <translation>--scale 接受数字，而不是“%1”</translation>
    </message>
    <message>
        <source>--scale is given once, or once for each adapter</source>
        <translation>--scale 给出一次，或为每个适配器各给出一次</translation>
    </message>
    <message>
        <source>--type takes keep, F32, F16 or BF16, not &quot;%1&quot;; other types are made with: gufo-cli quantize</source>
        <translation>--type 接受 keep、F32、F16 或 BF16，而不是“%1”；其他类型请用：gufo-cli quantize</translation>
    </message>
    <message>
        <source>replaced</source>
        <translation>已替换</translation>
    </message>
    <message>
        <source>replaced, %1</source>
        <translation>已替换，%1</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>%1: rank</source>
        <translation>%1：秩</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>NMSE of encoding</source>
        <translation>编码的 NMSE</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n tensors, alpha %2, scale %3</source>
        <translation>
            <numerusform>%1：%n 个张量，alpha %2，缩放因子 %3</numerusform>
        </translation>
    </message>
    <message>
        <source>Error that encoding adds: NMSE %1</source>
        <translation>编码增加的误差：NMSE %1</translation>
    </message>
    <message>
        <source>Change: norm of what is added, relative to that of the weights. Size: %1</source>
        <translation>变化：权重增量的范数与权重范数之比。大小：%1</translation>
    </message>
    <message>
        <source>how strongly the adapters are applied; default: 1. Given several times, one for each adapter</source>
        <translation>应用适配器的强度；默认：1。多次给出时，每个适配器一个</translation>
    </message>
    <message>
        <source>type of the tensors that change: keep (default), F32, F16 or BF16</source>
        <translation>有更改的张量的类型：keep（默认）、F32、F16 或 BF16</translation>
    </message>
    <message>
        <source>only show which tensors change, and how much; OUT is then omitted</source>
        <translation>只显示哪些张量会变化以及变化多少；此时省略 OUT</translation>
    </message>
    <message>
        <source>number of threads; default: all. The result does not depend on it</source>
        <translation>线程数；默认：全部。结果与线程数无关</translation>
    </message>
    <message>
        <source>an argument is missing; usage: gufo-cli apply BASE ADAPTER… OUT</source>
        <translation>缺少一个参数；用法：gufo-cli apply BASE ADAPTER… OUT</translation>
    </message>
    <message>
        <source>%1 is not a GGUF file; make one with: gufo-cli convert %1 OUT.gguf --base %2</source>
        <translation>%1 不是 GGUF 文件；可用以下命令制作：gufo-cli convert %1 OUT.gguf --base %2</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>merging</source>
        <translation>正在合并</translation>
    </message>
    <message>
        <source>BASE ADAPTER… OUT [--scale X]… [--type TYPE] [--dry-run]</source>
        <translation>BASE ADAPTER… OUT [--scale X]… [--type TYPE] [--dry-run]</translation>
    </message>
    <message>
        <source>Merges LoRA adapters into a model</source>
        <translation>将 LoRA 适配器合并到模型中</translation>
    </message>
    <message>
        <source>BASE and the adapters are GGUF files. Tensors that an adapter names are recomputed in f32 and written in the type that
they had, or matrices in that of --type; all others keep their bytes. Tensors that an adapter contains whole (modules_to_save) take the place of those of the model. Shows how much each tensor changes, relative to its weights,
and the error that encoding it again adds. OUT is written completely or not at all; shards become one file.</source>
        <translation>BASE 和适配器均为 GGUF 文件。适配器涉及的张量以 f32 重新计算，并以原来的类型写出，矩阵则以
--type 的类型写出；其他张量的字节保持不变。适配器中完整包含的张量（modules_to_save）取代模型的相应张量。显示每个张量相对于其权重的变化，
以及重新编码增加的误差。OUT 要么完整写出，要么完全不写；分片会合为一个文件。</translation>
    </message>
    <message>
        <source>threat</source>
        <translation>威胁</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>line %1: </source>
        <translation>第 %1 行：</translation>
    </message>
    <message>
        <source>without: </source>
        <translation>不含：</translation>
    </message>
    <message>
        <source>with:    </source>
        <translation>含有：</translation>
    </message>
    <message>
        <source>Threats: %1, faults: %2; renderings compared: %3</source>
        <translation>威胁：%1，缺陷：%2；比较的渲染结果：%3</translation>
    </message>
    <message>
        <source>The template could not be judged: %1</source>
        <translation>无法判断该模板：%1</translation>
    </message>
    <message>
        <source>NAME|FILE</source>
        <translation>NAME|FILE</translation>
    </message>
    <message>
        <source>name of the model&apos;s template to audit, or a file with a template; default: all templates of the model</source>
        <translation>要审计的模型自带模板的名称，或含有模板的文件；默认：模型的所有模板</translation>
    </message>
    <message>
        <source>BASE|DIR</source>
        <translation>BASE|DIR</translation>
    </message>
    <message>
        <source>the base model, its folder, or a file with its template: sentences that it does not have are threats</source>
        <translation>基础模型、其文件夹或含有其模板的文件：其中没有的句子视为威胁</translation>
    </message>
    <message>
        <source>rendering conversations</source>
        <translation>正在渲染对话</translation>
    </message>
    <message>
        <source>FILE [--template NAME|FILE] [--against BASE|DIR]</source>
        <translation>FILE [--template NAME|FILE] [--against BASE|DIR]</translation>
    </message>
    <message>
        <source>Looks for threats and faults in the chat template</source>
        <translation>在聊天模板中查找威胁和缺陷</translation>
    </message>
    <message>
        <source>A threat is text that depends on the words of messages, on their number or on the date, or a message that is changed, repeated or
given another role. Each is shown with two conversations that differ only there (--json).
The exit code is 1 if there is a threat or a fault of the severity error, or if a template cannot be judged.</source>
        <translation>威胁是指取决于消息用词、消息数量或日期的文本，或被改动、重复、
赋予其他角色的消息。每个威胁都以两段仅在该处不同的对话显示（--json）。
如果有威胁或严重程度为错误的缺陷，或模板无法判断，退出码为 1。</translation>
    </message>
    <message>
        <source>Threads: %1, %2</source>
        <translation>线程：%1，%2</translation>
    </message>
    <message>
        <source>, %1 % of the 8-bit peak</source>
        <translation>，8 位峰值的 %1%</translation>
    </message>
    <message>
        <source>Prompt: %1 tokens/s, %2·10⁹ products/s%3</source>
        <translation>提示词：%1 词元/秒，%2·10⁹ 次乘法/秒%3</translation>
    </message>
    <message>
        <source>from the processor&apos;s cache, so the bandwidth of the memory is no limit</source>
        <translation>数据来自处理器缓存，因此不受内存带宽限制</translation>
    </message>
    <message>
        <source>%1 % of the read bandwidth (%2 GB/s)</source>
        <translation>读取带宽的 %1%（%2 GB/秒）</translation>
    </message>
    <message>
        <source>Generation: %1 tokens/s; at best %2, %3 GB/s, %4</source>
        <translation>生成：%1 词元/秒；最高 %2，%3 GB/秒，%4</translation>
    </message>
    <message>
        <source>context length in tokens; default: the tokens that are measured</source>
        <translation>以词元为单位的上下文长度；默认：所测量的词元数</translation>
    </message>
    <message>
        <source>prompt tokens; default: 128</source>
        <translation>提示词的词元数；默认：128</translation>
    </message>
    <message>
        <source>tokens to generate; default: 32</source>
        <translation>要生成的词元数；默认：32</translation>
    </message>
    <message>
        <source>tokens already in the context; default: 0</source>
        <translation>上下文中已有的词元数；默认：0</translation>
    </message>
    <message>
        <source>bench: --context must be at least %1, because that many tokens are measured</source>
        <translation>bench：--context 至少须为 %1，因为要测量这么多词元</translation>
    </message>
    <message>
        <source>FILE [-p N] [-n N] [-d N] [-t N]</source>
        <translation>FILE [-p N] [-n N] [-d N] [-t N]</translation>
    </message>
    <message>
        <source>Measures the speed, and compares it with the limits of this machine</source>
        <translation>测量速度，并与本机的极限比较</translation>
    </message>
    <message>
        <source>Evaluates arbitrary tokens. Measures the read bandwidth and the peak rate of 8-bit products in the same run.</source>
        <translation>计算任意词元。在同一次运行中测量读取带宽和 8 位乘法的峰值速率。</translation>
    </message>
    <message>
        <source>--by takes block, role, tensor or expert, not &quot;%1&quot;</source>
        <translation>--by 接受 block、role、tensor 或 expert，而不是“%1”</translation>
    </message>
    <message>
        <source>--only: &quot;%1&quot; is not a regular expression: %2</source>
        <translation>--only：“%1”不是正则表达式：%2</translation>
    </message>
    <message>
        <source>--batch has no effect: the text is evaluated as one batch; see --ctx</source>
        <translation>--batch 不起作用：文本作为一批计算；参见 --ctx</translation>
    </message>
    <message numerus="yes">
        <source>KL divergence of B from A: %1 nats, mean over %n positions</source>
        <translation>
            <numerusform>B 相对于 A 的 KL 散度：%1 nat，%n 个位置的平均值</numerusform>
        </translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>KL from B</source>
        <translation>换用 B 的 KL</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>KL restored</source>
        <translation>恢复的 KL</translation>
    </message>
    <message>
        <source>interaction</source>
        <translation>交互作用</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors are the same in both files.</source>
        <translation>
            <numerusform>%n 个张量在两个文件中相同。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors differ, but do not affect the answers.</source>
        <translation>
            <numerusform>%n 个张量不同，但不影响回答。</numerusform>
        </translation>
    </message>
    <message>
        <source>After block</source>
        <translation>块之后</translation>
    </message>
    <message>
        <source>Distance (mean)</source>
        <translation>距离（平均）</translation>
    </message>
    <message>
        <source>Distance (largest)</source>
        <translation>距离（最大）</translation>
    </message>
    <message>
        <source>Cosine (mean)</source>
        <translation>余弦（平均）</translation>
    </message>
    <message>
        <source>Same experts (%)</source>
        <translation>专家相同 (%)</translation>
    </message>
    <message>
        <source>WHAT</source>
        <translation>WHAT</translation>
    </message>
    <message>
        <source>what is swapped together: block (default), role, tensor or expert</source>
        <translation>一起替换的范围：block（默认）、role、tensor 或 expert</translation>
    </message>
    <message>
        <source>REGEX</source>
        <translation>REGEX</translation>
    </message>
    <message>
        <source>swap only tensors whose name matches</source>
        <translation>只替换名称匹配的张量</translation>
    </message>
    <message>
        <source>score a single position, counted from 0 over the scored ones</source>
        <translation>只对单个位置评分，在评分位置中从 0 开始计数</translation>
    </message>
    <message>
        <source>also show how far the states of B are from those of A after each block</source>
        <translation>另显示每个块之后 B 的状态与 A 的状态相差多远</translation>
    </message>
    <message>
        <source>tokens of the text that are evaluated, of which the second half is scored; default: 512, or the text or the context of the model if that is shorter</source>
        <translation>文本中计算的词元数，只对后半部分评分；默认：512；如果文本或模型的上下文更短，则以其为准</translation>
    </message>
    <message numerus="yes">
        <source>%n parts differ; the map costs as much as %1 runs of the text.</source>
        <translation>
            <numerusform>%n 个部分不同；其分布图的计算量相当于运行文本 %1 次。</numerusform>
        </translation>
    </message>
    <message>
        <source>swapping tensors</source>
        <translation>正在替换张量</translation>
    </message>
    <message>
        <source>comparing layers</source>
        <translation>正在比较各层</translation>
    </message>
    <message>
        <source>A B TEXT [--by block|role|tensor|expert] [--token N] [--layers]</source>
        <translation>A B TEXT [--by block|role|tensor|expert] [--token N] [--layers]</translation>
    </message>
    <message>
        <source>Finds which tensors make B answer differently from A</source>
        <translation>找出使 B 的回答与 A 不同的张量</translation>
    </message>
    <message>
        <source>A and B are files of one model, TEXT is a file, or - for standard input. For each part of the tensors, shows how far A
diverges from itself with this part from B, and how much of the divergence of B goes away with this part from A. The shares
do not add up to the whole; the rest is shown as interaction.</source>
        <translation>A 和 B 是同一模型的文件，TEXT 是文件，或 - 表示标准输入。对于张量的每个部分，显示将 A 的该部分换成 B 的之后 A
偏离自身多少，以及将 B 的该部分换成 A 的之后 B 的散度减少多少。各部分之和
不等于整体；其余显示为交互作用。</translation>
    </message>
    <message>
        <source>%1 takes a number of bytes, 4096 or 0x1000, not &quot;%2&quot;</source>
        <translation>%1 接受字节数，例如 4096 或 0x1000，而不是“%2”</translation>
    </message>
    <message>
        <source>only one of --at, --key and --tensor can be given</source>
        <translation>--at、--key 和 --tensor 只能给出一个</translation>
    </message>
    <message>
        <source>--at: the file ends at byte %1</source>
        <translation>--at：文件在字节 %1 处结束</translation>
    </message>
    <message>
        <source>the file has no key %1</source>
        <translation>文件没有键 %1</translation>
    </message>
    <message>
        <source>the file has no data of a tensor %1</source>
        <translation>文件没有张量 %1 的数据</translation>
    </message>
    <message>
        <source>--length takes 1 to %1 bytes</source>
        <translation>--length 接受 1 到 %1 字节</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>OFFSET</source>
        <translation>OFFSET</translation>
    </message>
    <message>
        <source>begin at this byte, 4096 or 0x1000; default: the first</source>
        <translation>从此字节开始，例如 4096 或 0x1000；默认：第一个字节</translation>
    </message>
    <message>
        <source>KEY</source>
        <translation>KEY</translation>
    </message>
    <message>
        <source>begin at the record of a key</source>
        <translation>从键的记录开始</translation>
    </message>
    <message>
        <source>NAME</source>
        <translation>NAME</translation>
    </message>
    <message>
        <source>begin at the data of a tensor</source>
        <translation>从张量的数据开始</translation>
    </message>
    <message>
        <source>show so many bytes; default: 256, at most 1048576</source>
        <translation>显示的字节数；默认：256，最多 1048576</translation>
    </message>
    <message>
        <source>FILE [--at OFFSET | --key KEY | --tensor NAME] [--length N]</source>
        <translation>FILE [--at OFFSET | --key KEY | --tensor NAME] [--length N]</translation>
    </message>
    <message>
        <source>Shows bytes of a file with the meaning of each</source>
        <translation>显示文件的字节及每个字节的含义</translation>
    </message>
    <message>
        <source>Every byte belongs to a field: a length, a key, a value, the record of a tensor, the scale of a block, padding. The packed bits of a quantised block name the weights and sub-blocks that they belong to.
A damaged file is shown up to its damage.</source>
        <translation>每个字节都属于一个字段：长度、键、值、张量的记录、分块的缩放因子、填充。对于量化分块的打包位，会指明其所属的权重和子分块。
损坏的文件显示到损坏处为止。</translation>
    </message>
    <message>
        <source>write the card to a file, README.md as a rule; default: standard output</source>
        <translation>将模型卡写入文件，通常为 README.md；默认：标准输出</translation>
    </message>
    <message>
        <source>Writes a model card for a model, or for all models of a folder</source>
        <translation>为一个模型或文件夹中的所有模型写出模型卡</translation>
    </message>
    <message>
        <source>The conversation has been cleared.</source>
        <translation>对话已清空。</translation>
    </message>
    <message>
        <source>there is no answer yet</source>
        <translation>还没有回答</translation>
    </message>
    <message>
        <source>There is no system message now.</source>
        <translation>现在没有系统消息。</translation>
    </message>
    <message>
        <source>The system message is set.</source>
        <translation>系统消息已设置。</translation>
    </message>
    <message>
        <source>/save needs a file name: .md for Markdown, any other for JSON</source>
        <translation>/save 需要文件名：.md 为 Markdown，其他为 JSON</translation>
    </message>
    <message numerus="yes">
        <source>%n messages are in %1</source>
        <translation>
            <numerusform>%1 中有 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>/load needs the name of a JSON file: a list of messages, as /save writes it, or an object that has one under &quot;messages&quot;</source>
        <translation>/load 需要 JSON 文件的名称：/save 写出的消息列表，或在“messages”下含有消息列表的对象</translation>
    </message>
    <message numerus="yes">
        <source>%n messages were loaded from %1</source>
        <translation>
            <numerusform>已从 %1 加载 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>there is no %1</source>
        <translation>没有 %1</translation>
    </message>
    <message>
        <source>/regen        generates the last answer again
/clear        clears the conversation, but keeps the system message
/system TEXT  sets the system message, or removes it if there is no TEXT
/save FILE    saves the conversation, as Markdown if FILE ends with .md, otherwise as JSON
/load FILE    continues a conversation that was saved as JSON
/quit         ends the program, as Ctrl-D does
A \ at the end of a line continues the message on the next line. The arrow keys call earlier lines back, and Ctrl-R searches them; a line that begins with a space is not kept.</source>
        <translation>/regen        重新生成上一个回答
/clear        清空对话，但保留系统消息
/system TEXT  设置系统消息；没有 TEXT 时将其移除
/save FILE    保存对话；FILE 以 .md 结尾时为 Markdown，否则为 JSON
/load FILE    继续保存为 JSON 的对话
/quit         结束程序，与 Ctrl-D 相同
行末的 \ 表示消息在下一行继续。方向键可调出先前的行，Ctrl-R 可搜索它们；以空格开头的行不会保留。</translation>
    </message>
    <message>
        <source>%1. /help lists the commands; Ctrl-C stops an answer, Ctrl-D ends the program.</source>
        <translation>%1。/help 列出命令；Ctrl-C 停止回答，Ctrl-D 结束程序。</translation>
    </message>
    <message>
        <source>send this message instead of reading from standard input; may be repeated</source>
        <translation>发送此消息，而不是从标准输入读取；可重复使用</translation>
    </message>
    <message>
        <source>the system message</source>
        <translation>系统消息</translation>
    </message>
    <message>
        <source>a template of the model by name, a file, or chatml, alpaca or plain</source>
        <translation>以名称指定的模型自带模板、文件，或 chatml、alpaca、plain</translation>
    </message>
    <message>
        <source>let the server apply its own chat template</source>
        <translation>由服务器应用它自己的聊天模板</translation>
    </message>
    <message>
        <source>end thoughts after N tokens (0: none)</source>
        <translation>在 N 个词元之后结束思考（0：不思考）</translation>
    </message>
    <message>
        <source>a list of tools, or @FILE</source>
        <translation>工具列表，或 @FILE</translation>
    </message>
    <message>
        <source>NAME=JSON</source>
        <translation>NAME=JSON</translation>
    </message>
    <message>
        <source>an additional template variable, such as enable_thinking=false; may be repeated</source>
        <translation>附加的模板变量，例如 enable_thinking=false；可重复使用</translation>
    </message>
    <message>
        <source>FILE [--system TEXT] [-m TEXT] [--temp X] …</source>
        <translation>FILE [--system TEXT] [-m TEXT] [--temp X] …</translation>
    </message>
    <message>
        <source>Chats with the model through its chat template</source>
        <translation>通过模型的聊天模板与其聊天</translation>
    </message>
    <message>
        <source>Reads one message per line from standard input (a \ at the end continues it on the next line), and prints answers as
they are generated. /help lists the commands. Ctrl-C stops the answer; at the prompt it ends the program.</source>
        <translation>从标准输入每行读取一条消息（行末的 \ 表示下一行继续），并在生成时输出回答。
/help 列出命令。Ctrl-C 停止回答；在提示符处则结束程序。</translation>
    </message>
    <message>
        <source>there is no metric &quot;%1&quot;; the metrics are %2</source>
        <translation>没有指标“%1”；可用的指标为 %2</translation>
    </message>
    <message>
        <source>--memory takes a size such as 8G, not &quot;%1&quot;</source>
        <translation>--memory 接受 8G 之类的大小，而不是“%1”</translation>
    </message>
    <message>
        <source>--tensors: error in the regular expression at character %1: %2</source>
        <translation>--tensors：正则表达式在第 %1 个字符处有误：%2</translation>
    </message>
    <message>
        <source>this is one of the files that are compared</source>
        <translation>这是要比较的文件之一</translation>
    </message>
    <message>
        <source>compared by the names in the files, because the folder cannot be converted: %1</source>
        <translation>按文件中的名称比较，因为该文件夹无法转换：%1</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>metric shown in tables and on the report&apos;s map: %1; default: the first</source>
        <translation>表格和报告的分布图中显示的指标：%1；默认：第一个</translation>
    </message>
    <message>
        <source>sort tensors by this metric, worst first, or by name for file order; default: the metric of --metric</source>
        <translation>按此指标对张量排序，最差的在前；name 表示按文件顺序；默认：--metric 的指标</translation>
    </message>
    <message>
        <source>compare only tensors whose name matches the regular expression</source>
        <translation>只比较名称匹配此正则表达式的张量</translation>
    </message>
    <message>
        <source>list all tensors that differ, not only the 20 worst</source>
        <translation>列出所有有差异的张量，而不只是最差的 20 个</translation>
    </message>
    <message>
        <source>SIZE</source>
        <translation>SIZE</translation>
    </message>
    <message>
        <source>also name the model closest to the reference (by --metric) that runs within this memory, such as 8G, with the trained context of at most 4096 tokens</source>
        <translation>另给出能在此内存（例如 8G）内、以训练时的上下文（最多 4096 个词元）运行且最接近参照的模型（按 --metric）</translation>
    </message>
    <message>
        <source>OUT</source>
        <translation>OUT</translation>
    </message>
    <message>
        <source>write a report as a single HTML file</source>
        <translation>将报告写为单个 HTML 文件</translation>
    </message>
    <message>
        <source>write all figures as CSV</source>
        <translation>将所有数值写为 CSV</translation>
    </message>
    <message>
        <source>importance matrix (GGUF or .dat) for the metric weighted_sqnr, which shows what quantising with one gained; default: the one that a model names, if it is in the model&apos;s folder</source>
        <translation>用于指标 weighted_sqnr 的重要性矩阵（GGUF 或 .dat），该指标显示使用重要性矩阵量化所得的收益；默认：模型所指明的矩阵，如果它在模型的文件夹中</translation>
    </message>
    <message>
        <source>run the models on this text, and show the mean KL divergence of their predictions from those of the first, by which --memory then chooses unless there is a --metric</source>
        <translation>在此文本上运行各模型，并显示其预测与第一个模型的平均 KL 散度；除非给出 --metric，否则 --memory 据此选择</translation>
    </message>
    <message>
        <source>with --json: add the error by weight magnitude and the distribution of errors</source>
        <translation>与 --json 一起使用：添加按权重大小划分的误差和误差分布</translation>
    </message>
    <message>
        <source>ignore cached results</source>
        <translation>忽略缓存的结果</translation>
    </message>
    <message>
        <source>compare: the metric %1 needs an importance matrix; name it with --imatrix</source>
        <translation>compare：指标 %1 需要重要性矩阵；请用 --imatrix 指定</translation>
    </message>
    <message>
        <source>compare: --%1 %2 matches no tensor</source>
        <translation>compare：--%1 %2 不匹配任何张量</translation>
    </message>
    <message>
        <source>comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>checking the conversion</source>
        <translation>正在检查转换</translation>
    </message>
    <message>
        <source>A B [C…] [--metric M] [--sort M] [--tensors REGEX] [--html OUT] [--csv OUT]</source>
        <translation>A B [C…] [--metric M] [--sort M] [--tensors REGEX] [--html OUT] [--csv OUT]</translation>
    </message>
    <message>
        <source>Compares the weights, metadata and tokens of models</source>
        <translation>比较模型的权重、元数据和词元</translation>
    </message>
    <message>
        <source>A is the reference. All weights of all models are read once; Ctrl-C cancels. Results are cached until a file changes.
A GGUF file and the folder that it was converted from are compared tensor by tensor as the conversion writes them.
The exit code is 1 if anything differs.</source>
        <translation>A 为参照。所有模型的全部权重都会读取一次；Ctrl-C 取消。结果会缓存，直到文件更改。
GGUF 文件与其转换来源的文件夹，按转换写出的方式逐个张量比较。
如有任何差异，退出码为 1。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>Identical</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Extra</source>
        <translation>多出</translation>
    </message>
    <message>
        <source>Reshaped</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1 (reference)</source>
        <translation>%1（参照）</translation>
    </message>
    <message>
        <source>No model runs within %1.</source>
        <translation>没有模型能在 %1 内运行。</translation>
    </message>
    <message>
        <source>without loss</source>
        <translation>无损失</translation>
    </message>
    <message>
        <source>The best that fits into %1: %2 (%3 to run, %4)</source>
        <translation>可在 %1 内运行的最佳模型：%2（运行需要 %3，%4）</translation>
    </message>
    <message>
        <source>Metadata: no key differs</source>
        <translation>元数据：所有键均相同</translation>
    </message>
    <message numerus="yes">
        <source>Metadata: %n keys differ</source>
        <translation>
            <numerusform>元数据：%n 个键不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>and %1 more; use --json to see all</source>
        <translation>另有 %1 个；使用 --json 查看全部</translation>
    </message>
    <message>
        <source>(absent)</source>
        <translation>（无）</translation>
    </message>
    <message>
        <source>(same)</source>
        <translation>（相同）</translation>
    </message>
    <message>
        <source>the same as %1</source>
        <translation>与 %1 相同</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n elements differ, the first at %2: %3</source>
        <translation>
            <numerusform>%1：%n 个元素不同，第一处在 %2：%3</numerusform>
        </translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>（无）</translation>
    </message>
    <message>
        <source>Tokens of %1: %2 missing, %3 new, %4 under other ids, %5 with other scores, %6 of other types</source>
        <translation>%1 的词元：%2 个缺失，%3 个新增，%4 个 ID 不同，%5 个分数不同，%6 个类型不同</translation>
    </message>
    <message>
        <source>Tensors: there are none</source>
        <translation>张量：无</translation>
    </message>
    <message>
        <source>Tensors: no difference</source>
        <translation>张量：没有差异</translation>
    </message>
    <message>
        <source>Tensors: the %1 worst of %2 that differ (--all shows them)</source>
        <translation>张量：%2 个有差异的张量中最差的 %1 个（--all 显示全部）</translation>
    </message>
    <message numerus="yes">
        <source>Tensors: %n differ</source>
        <translation>
            <numerusform>张量：%n 个不同</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: its KL divergence is not known, because %2</source>
        <translation>%1：其 KL 散度未知，因为%2</translation>
    </message>
    <message>
        <source>it cannot be run</source>
        <translation>它无法运行</translation>
    </message>
    <message>
        <source>running %1</source>
        <translation>正在运行 %1</translation>
    </message>
    <message numerus="yes">
        <source>Scales that are rounded to f16: %n tensor(s), with an error of at most %1 (%2)</source>
        <translation>
            <numerusform>舍入为 f16 的缩放因子：%n 个张量，误差最大为 %1（%2）</numerusform>
        </translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Max error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Tensors that get another type because their rows are not a whole number of its blocks: %1</source>
        <translation>因各行不是其整数个分块而采用其他类型的张量：%1</translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation>已略去：%1</translation>
    </message>
    <message>
        <source>%1: %2, keys: %3</source>
        <translation>%1：%2，键：%3</translation>
    </message>
    <message>
        <source>--byte-order takes little or big, not &quot;%1&quot;</source>
        <translation>--byte-order 接受 little 或 big，而不是“%1”</translation>
    </message>
    <message>
        <source>--max-size takes bytes, or a number with M or G, not &quot;%1&quot;</source>
        <translation>--max-size 接受字节数或带 M、G 的数字，而不是“%1”</translation>
    </message>
    <message>
        <source>%1 is %2, which cannot be converted: convert takes folders in Hugging Face&apos;s or Mistral&apos;s format, PEFT adapters and LLaMA files from before GGUF</source>
        <translation>%1 是%2，无法转换：convert 接受 Hugging Face 或 Mistral 格式的文件夹、PEFT 适配器，以及早于 GGUF 的 LLaMA 文件</translation>
    </message>
    <message>
        <source>%1 contains weights, but nothing beside it says of which model: convert the folder that has its config.json or params.json</source>
        <translation>%1 含有权重，但旁边没有任何内容说明属于哪个模型：请转换含有其 config.json 或 params.json 的文件夹</translation>
    </message>
    <message>
        <source>PATH</source>
        <translation>PATH</translation>
    </message>
    <message>
        <source>for adapters: the base model, a folder with its config.json or a GGUF file</source>
        <translation>用于适配器：基础模型，即带有 config.json 的文件夹或 GGUF 文件</translation>
    </message>
    <message>
        <source>for folders: type of the result, as in quantize; default: auto, that of the source</source>
        <translation>用于文件夹：结果的类型，同 quantize；默认：auto，即来源的类型</translation>
    </message>
    <message>
        <source>importance matrix of this model (GGUF or .dat), which reduces errors where they matter most</source>
        <translation>此模型的重要性矩阵（GGUF 或 .dat），可减小最重要之处的误差</translation>
    </message>
    <message>
        <source>for folders: general.name; default: that of the folder</source>
        <translation>用于文件夹：general.name；默认：文件夹的名称</translation>
    </message>
    <message>
        <source>for folders: write no tensors</source>
        <translation>用于文件夹：不写入张量</translation>
    </message>
    <message>
        <source>for folders: only show what would be written, with --json every detail</source>
        <translation>用于文件夹：只显示会写出什么，使用 --json 时给出全部细节</translation>
    </message>
    <message>
        <source>ORDER</source>
        <translation>ORDER</translation>
    </message>
    <message>
        <source>little or big; default: that of IN</source>
        <translation>little 或 big；默认：与 IN 相同</translation>
    </message>
    <message>
        <source>GGUF version: 1, 2 or 3 (default)</source>
        <translation>GGUF 版本：1、2 或 3（默认）</translation>
    </message>
    <message>
        <source>read the result again and compare the SHA-256 of the tensor bytes</source>
        <translation>重新读取结果，并比较张量字节的 SHA-256</translation>
    </message>
    <message>
        <source>an argument is missing; usage: gufo-cli convert IN OUT</source>
        <translation>缺少一个参数；用法：gufo-cli convert IN OUT</translation>
    </message>
    <message>
        <source>--type applies to folders; the types of a GGUF file are changed with: gufo-cli quantize IN OUT TYPE</source>
        <translation>--type 适用于文件夹；更改 GGUF 文件的类型请用：gufo-cli quantize IN OUT TYPE</translation>
    </message>
    <message>
        <source>--%1 applies to folders, not to GGUF files</source>
        <translation>--%1 适用于文件夹，不适用于 GGUF 文件</translation>
    </message>
    <message>
        <source>IN OUT [--type TYPE] [--imatrix FILE] [--base PATH] [--name NAME] [--vocab-only] [--dry-run] | [--byte-order ORDER] [--version N] [--verify]</source>
        <translation>IN OUT [--type TYPE] [--imatrix FILE] [--base PATH] [--name NAME] [--vocab-only] [--dry-run] | [--byte-order ORDER] [--version N] [--verify]</translation>
    </message>
    <message>
        <source>Converts other formats to GGUF, or writes GGUF in another byte order or version</source>
        <translation>将其他格式转换为 GGUF，或以其他字节序或版本写出 GGUF</translation>
    </message>
    <message>
        <source>IN is a folder of Hugging Face (safetensors or PyTorch, with its configuration and tokenizer), the folder of a PEFT adapter,
a LLaMA file from before GGUF (GGML, GGMF, GGJT), or a GGUF file.
A folder is converted in one pass to any type that quantize has; with --dry-run, OUT may be omitted, and the plan is
shown: each tensor with its sources and operations, each key with the source of its value, and what is left out.
For GGUF files, impossible conversions are refused: big-endian before version 3, 64-bit values in version 1, and another
byte order for tensors whose layout is unknown. OUT is written completely or not at all.</source>
        <translation>IN 为 Hugging Face 的文件夹（safetensors 或 PyTorch，含配置和分词器）、PEFT 适配器的文件夹、
早于 GGUF 的 LLaMA 文件（GGML、GGMF、GGJT），或 GGUF 文件。
文件夹可一次转换为 quantize 支持的任何类型；使用 --dry-run 时可省略 OUT，并显示方案：
每个张量及其来源和运算，每个键及其值的来源，以及略去的内容。
对于 GGUF 文件，会拒绝不可能的转换：版本 3 之前的大端、版本 1 中的 64 位值，
以及更改布局未知的张量的字节序。OUT 要么完整写出，要么完全不写。</translation>
    </message>
    <message>
        <source>maximum number of tensors per file; default: 128, or unlimited with --max-size</source>
        <translation>每个文件的最大张量数；默认：128，使用 --max-size 时不限</translation>
    </message>
    <message>
        <source>maximum size of the tensor data per file in bytes, or with M or G (1000 M = 1 G)</source>
        <translation>每个文件的张量数据最大大小，以字节为单位，或带 M、G（1000 M = 1 G）</translation>
    </message>
    <message>
        <source>put only the metadata into the first file</source>
        <translation>第一个文件只放元数据</translation>
    </message>
    <message>
        <source>IN PREFIX [--max-tensors N] [--max-size SIZE] [--metadata-first] [--verify]</source>
        <translation>IN PREFIX [--max-tensors N] [--max-size SIZE] [--metadata-first] [--verify]</translation>
    </message>
    <message>
        <source>Splits a model into several files: PREFIX-00001-of-00003.gguf</source>
        <translation>将模型拆分为多个文件：PREFIX-00001-of-00003.gguf</translation>
    </message>
    <message>
        <source>The metadata goes into the first file. All files are written, or none.</source>
        <translation>元数据放入第一个文件。要么写出所有文件，要么完全不写。</translation>
    </message>
    <message>
        <source>IN OUT [--verify]</source>
        <translation>IN OUT [--verify]</translation>
    </message>
    <message>
        <source>Merges the files of a split model into one</source>
        <translation>将拆分模型的文件合并为一个</translation>
    </message>
    <message>
        <source>IN is any of the files: a shard, or a piece of a file that was cut (m.gguf-split-a,
m.gguf.part1of2, m.gguf.001).</source>
        <translation>IN 为其中任一文件：一个分片，或被切割文件的一段（m.gguf-split-a、
m.gguf.part1of2、m.gguf.001）。</translation>
    </message>
    <message>
        <source>--%1 applies to GGUF files, not to what is converted to GGUF</source>
        <translation>--%1 适用于 GGUF 文件，不适用于要转换为 GGUF 的内容</translation>
    </message>
    <message>
        <source>--base applies to adapters; this folder is a model</source>
        <translation>--base 适用于适配器；此文件夹是模型</translation>
    </message>
    <message>
        <source>adapters are written as F32, F16 or BF16</source>
        <translation>适配器以 F32、F16 或 BF16 写出</translation>
    </message>
    <message>
        <source>--vocab-only and --imatrix do not apply to adapters</source>
        <translation>--vocab-only 和 --imatrix 不适用于适配器</translation>
    </message>
    <message numerus="yes">
        <source>There are %n more problems, which --dry-run lists.</source>
        <translation>
            <numerusform>还有 %n 个问题，--dry-run 会列出。</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing was written, because the result could not be run:</source>
        <translation>没有写入任何内容，因为结果无法运行：</translation>
    </message>
    <message>
        <source>name the base model with --base</source>
        <translation>请用 --base 指定基础模型</translation>
    </message>
    <message>
        <source>The adapter also contains whole tensors, which take the place of the model&apos;s. Merge it with gufo-cli apply: runtimes that load adapters beside a model refuse it.</source>
        <translation>该适配器还含有取代模型张量的完整张量。请用 gufo-cli apply 合并：在模型旁加载适配器的运行时会拒绝它。</translation>
    </message>
    <message>
        <source>converting</source>
        <translation>正在转换</translation>
    </message>
    <message>
        <source>--%1 does not apply to files from before GGUF</source>
        <translation>--%1 不适用于早于 GGUF 的文件</translation>
    </message>
    <message>
        <source>was there already, with the SHA-256 that the hub states</source>
        <translation>已在该处，其 SHA-256 与 Hub 声明的一致</translation>
    </message>
    <message>
        <source>has the SHA-256 that the hub states</source>
        <translation>其 SHA-256 与 Hub 声明的一致</translation>
    </message>
    <message>
        <source>SHA-256 %1</source>
        <translation>SHA-256 %1</translation>
    </message>
    <message>
        <source>%1 fetched, %2/s</source>
        <translation>已获取 %1，%2/秒</translation>
    </message>
    <message>
        <source>DIR</source>
        <translation>DIR</translation>
    </message>
    <message>
        <source>folder for the files; default: the current one</source>
        <translation>存放文件的文件夹；默认：当前文件夹</translation>
    </message>
    <message>
        <source>parts that are fetched at the same time, 1 to 16; default: 4</source>
        <translation>同时获取的部分数，1 到 16；默认：4</translation>
    </message>
    <message>
        <source>ADDRESS [-o DIR] [--connections N]</source>
        <translation>ADDRESS [-o DIR] [--connections N]</translation>
    </message>
    <message>
        <source>Downloads a model, and checks that it is complete</source>
        <translation>下载模型，并检查其是否完整</translation>
    </message>
    <message>
        <source>ADDRESS is https://…, hf.co/OWNER/REPO[:Q4_K_M], OWNER/REPO, modelscope.cn/models/OWNER/REPO or ollama.com/NAME:TAG; of several
models in a repository, Q4_K_M is chosen unless another is named. All shards of a model are fetched. The SHA-256 is
compared with the one that the hub states. Ctrl-C keeps NAME.part, which the next call completes. Private and gated models need
a token of Hugging Face in HF_TOKEN; HF_ENDPOINT names a mirror. Without encryption (http://), only this computer is contacted, and the
hosts that GUFO_PLAIN_HOSTS lists, separated by commas.</source>
        <translation>ADDRESS 为 https://…、hf.co/OWNER/REPO[:Q4_K_M]、OWNER/REPO、modelscope.cn/models/OWNER/REPO 或 ollama.com/NAME:TAG；
仓库中有多个模型时，若未指定则选择 Q4_K_M。会获取模型的所有分片。SHA-256 与 Hub 声明的值比较。
按 Ctrl-C 会保留 NAME.part，下次调用会将其补全。私有和受限的模型需要
HF_TOKEN 中的 Hugging Face 访问令牌；HF_ENDPOINT 指定镜像。不加密（http://）时，只连接本机以及
GUFO_PLAIN_HOSTS 列出的主机（以逗号分隔）。</translation>
    </message>
    <message>
        <source>--format takes f32, npy, raw or csv, not &quot;%1&quot;</source>
        <translation>--format 接受 f32、npy、raw 或 csv，而不是“%1”</translation>
    </message>
    <message>
        <source>output file; it is written completely or not at all</source>
        <translation>输出文件；要么完整写出，要么完全不写</translation>
    </message>
    <message>
        <source>FORMAT</source>
        <translation>FORMAT</translation>
    </message>
    <message>
        <source>npy (NumPy), f32 (raw little-endian floats), csv, or raw (the bytes as stored); default: by the extension of OUT, otherwise f32</source>
        <translation>npy（NumPy）、f32（原始小端浮点数）、csv 或 raw（按存储的字节）；默认：由 OUT 的扩展名决定，否则为 f32</translation>
    </message>
    <message>
        <source>-o OUT, the file to write, is missing</source>
        <translation>缺少 -o OUT，即要写入的文件</translation>
    </message>
    <message>
        <source>FILE TENSOR -o OUT [--format FORMAT]</source>
        <translation>FILE TENSOR -o OUT [--format FORMAT]</translation>
    </message>
    <message>
        <source>Writes a tensor&apos;s values to a file</source>
        <translation>将张量的值写入文件</translation>
    </message>
    <message>
        <source>Integers and F64 keep their type in npy and csv; all other types are written as floats.
If OUT is -, they are written to standard output.</source>
        <translation>整数和 F64 在 npy 和 csv 中保持其类型；所有其他类型写为浮点数。
如果 OUT 为 -，则写到标准输出。</translation>
    </message>
    <message>
        <source>embed: give either texts or --tokens IDS</source>
        <translation>embed：请给出文本或 --tokens IDS</translation>
    </message>
    <message>
        <source>IDS</source>
        <translation>IDS</translation>
    </message>
    <message>
        <source>token ids instead of a text, separated by commas or spaces; may be repeated</source>
        <translation>词元 ID，代替文本，以逗号或空格分隔；可重复使用</translation>
    </message>
    <message>
        <source>P</source>
        <translation>P</translation>
    </message>
    <message>
        <source>none (a vector for each token), mean, cls (the first token&apos;s), last, or rank (scores); default: that of the file, otherwise none</source>
        <translation>none（每个词元一个向量）、mean、cls（第一个词元的向量）、last 或 rank（分数）；默认：文件中的设置，否则为 none</translation>
    </message>
    <message>
        <source>scale vectors to the length 1</source>
        <translation>将向量缩放到长度 1</translation>
    </message>
    <message>
        <source>write the vectors to a NumPy file, one row for each</source>
        <translation>将向量写入 NumPy 文件，每个向量一行</translation>
    </message>
    <message>
        <source>embed: --pooling takes none, mean, cls, last or rank, not &quot;%1&quot;</source>
        <translation>embed：--pooling 接受 none、mean、cls、last 或 rank，而不是“%1”</translation>
    </message>
    <message>
        <source>embed: --tokens needs at least one id</source>
        <translation>embed：--tokens 至少需要一个 ID</translation>
    </message>
    <message>
        <source>embed: --normalize is for vectors, but this makes scores; --pooling mean, cls or last makes vectors</source>
        <translation>embed：--normalize 用于向量，但此处得出的是分数；--pooling mean、cls 或 last 得出向量</translation>
    </message>
    <message>
        <source>FILE TEXT… [--tokens IDS] [--pooling P] [--normalize] [-o OUT]</source>
        <translation>FILE TEXT… [--tokens IDS] [--pooling P] [--normalize] [-o OUT]</translation>
    </message>
    <message>
        <source>Embeds texts, or scores them if the model is a reranker</source>
        <translation>嵌入文本；如果模型是重排序模型，则为文本打分</translation>
    </message>
    <message>
        <source>Prints a line of numbers for each text. If the model is not an encoder, its vectors are the states of tokens after
the last norm.</source>
        <translation>为每个文本输出一行数字。如果模型不是编码器，其向量为最后一次归一化之后
各词元的状态。</translation>
    </message>
    <message>
        <source>context length in tokens; default: memory for the given tokens, with the RoPE factors of the trained length</source>
        <translation>以词元为单位的上下文长度；默认：按给定的词元分配内存，RoPE 因子取训练长度的因子</translation>
    </message>
    <message>
        <source>token ids, separated by commas or spaces</source>
        <translation>词元 ID，以逗号或空格分隔</translation>
    </message>
    <message>
        <source>output file: floats, one row over the vocabulary per token</source>
        <translation>输出文件：浮点数，每个词元一行，每行对应整个词表</translation>
    </message>
    <message>
        <source>eval: both --tokens IDS and --logits OUT are needed</source>
        <translation>eval：--tokens IDS 和 --logits OUT 都需要</translation>
    </message>
    <message numerus="yes">
        <source>eval: the engine &quot;%1&quot; uses the RoPE factors of a context of %n tokens, not those of the trained length; see --context</source>
        <translation>
            <numerusform>eval：引擎“%1”使用 %n 个词元上下文的 RoPE 因子，而不是训练长度的因子；参见 --context</numerusform>
        </translation>
    </message>
    <message>
        <source>FILE --tokens IDS --logits OUT</source>
        <translation>FILE --tokens IDS --logits OUT</translation>
    </message>
    <message>
        <source>Writes the logits of all positions as floats</source>
        <translation>将所有位置的 logits 写为浮点数</translation>
    </message>
    <message>
        <source>OUT has one row per token, with one value per token of the vocabulary.</source>
        <translation>OUT 中每个词元一行，每行对词表中的每个词元各有一个值。</translation>
    </message>
    <message>
        <source>FILE FILE</source>
        <translation>FILE FILE</translation>
    </message>
    <message>
        <source>Says whether two files belong together, and why not</source>
        <translation>说明两个文件是否匹配，以及不匹配的原因</translation>
    </message>
    <message>
        <source>One file is a model, the other a projector (mmproj), a LoRA adapter, an importance matrix, a smaller model that drafts, or prediction blocks (MTP) in a file of their own, in either order. No weights are read.
The exit code is 1 if the files do not fit.</source>
        <translation>一个文件是模型，另一个是投影器（mmproj）、LoRA 适配器、重要性矩阵、用于生成草稿的较小模型，或单独文件中的预测块（MTP），次序不限。不读取权重。
如果文件不匹配，退出码为 1。</translation>
    </message>
    <message>
        <source>generate: --prompt and --prompt-file cannot be combined</source>
        <translation>generate：--prompt 与 --prompt-file 不能同时使用</translation>
    </message>
    <message>
        <source>generate: --prompt TEXT or --prompt-file FILE is needed</source>
        <translation>generate：需要 --prompt TEXT 或 --prompt-file FILE</translation>
    </message>
    <message numerus="yes">
        <source>generate: the prompt has %n tokens, but the context holds only %1</source>
        <translation>
            <numerusform>generate：提示词有 %n 个词元，但上下文只能容纳 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>, as the model was trained; --context can extend it, and --shift leaves out the oldest tokens</source>
        <translation>，与模型训练时相同；--context 可以扩展它，--shift 会略去最早的词元</translation>
    </message>
    <message>
        <source>, because more does not fit into the free memory; --shift leaves out the oldest tokens</source>
        <translation>，因为可用内存放不下更多；--shift 会略去最早的词元</translation>
    </message>
    <message>
        <source>: use a larger --context, or --shift to leave out the oldest tokens</source>
        <translation>：请使用更大的 --context，或用 --shift 略去最早的词元</translation>
    </message>
    <message>
        <source>reading the prompt</source>
        <translation>正在读取提示词</translation>
    </message>
    <message>
        <source>generate: the prompt has no tokens, and the model adds no token at the beginning of a text</source>
        <translation>generate：提示词没有词元，模型也不在文本开头添加词元</translation>
    </message>
    <message numerus="yes">
        <source>prompt: %n tokens</source>
        <translation>
            <numerusform>提示词：%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 of them reused</source>
        <translation>，其中重用 %1</translation>
    </message>
    <message numerus="yes">
        <source>generated: %n tokens, %1 tokens/s</source>
        <translation>
            <numerusform>已生成：%n 个词元，%1 词元/秒</numerusform>
        </translation>
    </message>
    <message>
        <source>seed: %1</source>
        <translation>种子：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n older tokens did not fit into the context and were left out; see --context</source>
        <translation>
            <numerusform>较早的 %n 个词元放不进上下文，已略去；参见 --context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The context of %n tokens is full, so the text ends here; a larger --context or --shift continues it.</source>
        <translation>
            <numerusform>%n 个词元的上下文已满，因此文本在此结束；更大的 --context 或 --shift 可以继续。</numerusform>
        </translation>
    </message>
    <message>
        <source>The context is full, so the text ends here.</source>
        <translation>上下文已满，因此文本在此结束。</translation>
    </message>
    <message>
        <source>The server&apos;s content filter has ended the text.</source>
        <translation>服务器的内容过滤器结束了文本。</translation>
    </message>
    <message>
        <source>text to continue; control tokens are written as &lt;s&gt; and so on</source>
        <translation>要续写的文本；控制词元写作 &lt;s&gt; 等</translation>
    </message>
    <message>
        <source>file with the text to continue, used byte for byte; -: standard input</source>
        <translation>含有要续写的文本的文件，逐字节使用；-：标准输入</translation>
    </message>
    <message>
        <source>leave out the older half of a text that fills the context, and continue; default: refuse a longer prompt, and end a text that fills the context</source>
        <translation>文本填满上下文时略去其较早的一半并继续；默认：拒绝过长的提示词，文本填满上下文时结束</translation>
    </message>
    <message>
        <source>with --json: add the N most likely tokens of each position</source>
        <translation>与 --json 一起使用：添加每个位置最可能的 N 个词元</translation>
    </message>
    <message>
        <source>report the probabilities that the samplers have left; servers only</source>
        <translation>提供采样器筛选之后的概率；仅用于服务器</translation>
    </message>
    <message>
        <source>FILE -p TEXT [-n N] [--temp X] [--seed N] …</source>
        <translation>FILE -p TEXT [-n N] [--temp X] [--seed N] …</translation>
    </message>
    <message>
        <source>Continues a text with the model</source>
        <translation>用模型续写文本</translation>
    </message>
    <message>
        <source>Runs on the CPU, directly from the file. Ctrl-C stops. With --json, also prints log-probabilities and speeds.
With --engine, another engine or a server runs it; FILE is then the file whose model the server should run.</source>
        <translation>在 CPU 上直接从文件运行。Ctrl-C 停止。使用 --json 时还输出对数概率和速度。
使用 --engine 时由另一个引擎或服务器运行；此时 FILE 是服务器应运行的模型的文件。</translation>
    </message>
    <message numerus="yes">
        <source>the array has %n elements, numbered from 0; %1 is beyond its end</source>
        <translation>
            <numerusform>数组有 %n 个元素，从 0 开始编号；%1 超出末尾</numerusform>
        </translation>
    </message>
    <message>
        <source>the position in the brackets is missing</source>
        <translation>方括号中缺少位置</translation>
    </message>
    <message>
        <source>the value of %1 is not an array</source>
        <translation>%1 的值不是数组</translation>
    </message>
    <message>
        <source>FILE KEY|KEY[N]|KEY[N:M]</source>
        <translation>FILE KEY|KEY[N]|KEY[N:M]</translation>
    </message>
    <message>
        <source>Prints the full value of a metadata key</source>
        <translation>输出元数据键的完整值</translation>
    </message>
    <message>
        <source>A string is written byte for byte (with a line break after it only on a terminal). An array is written one element per
line; in its strings, a backslash is written \\, a line break \n, a tab \t, and bytes that are not UTF-8 \xNN. KEY[2] is one element of an array, written like a value of its type, and KEY[2:5] the
elements 2, 3 and 4; elements are numbered from 0, and either number of a range may be omitted.</source>
        <translation>字符串逐字节写出（仅在终端上于其后换行）。数组每行写一个元素；
其字符串中，反斜杠写作 \\，换行写作 \n，制表符写作 \t，非 UTF-8 的字节写作 \xNN。KEY[2] 是数组的一个元素，按其类型的值写出；KEY[2:5] 是
元素 2、3 和 4；元素从 0 开始编号，范围的任一端都可省略。</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>the header</source>
        <translation>文件头</translation>
    </message>
    <message>
        <source>the weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>the tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>%1: is in the manifest only</source>
        <translation>%1：只在清单中</translation>
    </message>
    <message>
        <source>%1: is not in the manifest</source>
        <translation>%1：不在清单中</translation>
    </message>
    <message>
        <source>%1: differs</source>
        <translation>%1：不同</translation>
    </message>
    <message>
        <source>%1: line %2 is not a line of a manifest: a SHA-256 in hexadecimal digits, two spaces, file, header, weights or tensor, two spaces, and a name; gufo-cli hash FILE -o MANIFEST writes one</source>
        <translation>%1：第 %2 行不是清单的行：应为十六进制的 SHA-256、两个空格、file、header、weights 或 tensor、两个空格和一个名称；gufo-cli hash FILE -o MANIFEST 可写出清单</translation>
    </message>
    <message>
        <source>%1: it holds no digests; gufo-cli hash FILE -o MANIFEST writes a manifest</source>
        <translation>%1：其中没有摘要；gufo-cli hash FILE -o MANIFEST 可写出清单</translation>
    </message>
    <message>
        <source>MANIFEST</source>
        <translation>MANIFEST</translation>
    </message>
    <message>
        <source>write the digests to a file instead</source>
        <translation>改为将摘要写入文件</translation>
    </message>
    <message>
        <source>compare the digests with a manifest, and print what differs</source>
        <translation>将摘要与清单比较，并输出不同之处</translation>
    </message>
    <message>
        <source>-o and --check exclude each other</source>
        <translation>-o 与 --check 不能同时使用</translation>
    </message>
    <message>
        <source>Nothing differs from the manifest.</source>
        <translation>与清单没有差异。</translation>
    </message>
    <message>
        <source>FILE [-o MANIFEST] [--check MANIFEST]</source>
        <translation>FILE [-o MANIFEST] [--check MANIFEST]</translation>
    </message>
    <message>
        <source>Prints the SHA-256 of the file, its weights and each tensor</source>
        <translation>输出文件、其权重和每个张量的 SHA-256</translation>
    </message>
    <message>
        <source>Files with equal weights have the same digest of weights, whatever their metadata, their order of tensors, their byte order or their division into shards is. Of a set, all files are read.
A line is a digest, its kind (file, header, weights or tensor) and a name. With --check, the exit code is 1 if anything differs; verify compares a file with the one on the hub.</source>
        <translation>权重相同的文件，无论元数据、张量次序、字节序或分片方式如何，其权重摘要都相同。对于分片组，会读取所有文件。
每行为一个摘要、其种类（file、header、weights 或 tensor）和一个名称。使用 --check 时，如有任何差异，退出码为 1；verify 将文件与 Hub 上的比较。</translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no chunk and were left out; see --context.</source>
        <translation>
            <numerusform>文本的最后 %n 个词元不足一个文本段，已略去；参见 --context。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n 个条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chunks of %1 tokens</source>
        <translation>
            <numerusform>%n 个文本段，每段 %1 个词元</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n of %1 expert matrices; a longer text may reach them</source>
        <translation>
            <numerusform>%1 个专家矩阵中有 %n 个没有收到任何词元；换用更长的文本或许可以覆盖</numerusform>
        </translation>
    </message>
    <message>
        <source>imatrix: %1 is complete, so it cannot be continued; --force replaces it</source>
        <translation>imatrix：%1 已完整，因此无法继续；--force 可替换它</translation>
    </message>
    <message>
        <source>imatrix: %1 was begun with another model, text or --context; continue it with the same ones</source>
        <translation>imatrix：%1 是以其他模型、文本或 --context 开始的；请以相同的设置继续</translation>
    </message>
    <message>
        <source>the file to write, which quantize --imatrix reads</source>
        <translation>要写入的文件，供 quantize --imatrix 读取</translation>
    </message>
    <message>
        <source>evaluate at most N chunks; default: all of the text</source>
        <translation>最多计算 N 个文本段；默认：全部文本</translation>
    </message>
    <message>
        <source>tokens of a chunk; default: 512, or the context of the model if that is shorter</source>
        <translation>每个文本段的词元数；默认：512；如果模型的上下文更短，则以其为准</translation>
    </message>
    <message>
        <source>save the matrix after every N chunks; default: 10</source>
        <translation>每 N 个文本段后保存矩阵；默认：10</translation>
    </message>
    <message>
        <source>continue where OUT was saved last; the result is the same as without a break</source>
        <translation>从上次保存的 OUT 处继续；结果与未中断时相同</translation>
    </message>
    <message>
        <source>imatrix: -o OUT is needed</source>
        <translation>imatrix：需要 -o OUT</translation>
    </message>
    <message>
        <source>tokenizing</source>
        <translation>正在分词</translation>
    </message>
    <message numerus="yes">
        <source>imatrix: the text has %n tokens, but a chunk needs %1; use a longer text or a smaller --context</source>
        <translation>
            <numerusform>imatrix：文本有 %n 个词元，但一个文本段需要 %1 个；请使用更长的文本或更小的 --context</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chunks are saved in %1; --resume continues there</source>
        <translation>
            <numerusform>%n 个文本段已保存在 %1 中；--resume 从该处继续</numerusform>
        </translation>
    </message>
    <message>
        <source>FILE TEXT -o OUT [--chunks N] [--context N] [--save-every N] [--resume]</source>
        <translation>FILE TEXT -o OUT [--chunks N] [--context N] [--save-every N] [--resume]</translation>
    </message>
    <message>
        <source>Measures which weights matter most (importance matrix), for quantising</source>
        <translation>测量哪些权重最重要（重要性矩阵），用于量化</translation>
    </message>
    <message>
        <source>Evaluates TEXT, a file or - for standard input, and sums the squared inputs of each matrix, separately for each expert.
The KV cache is f32 unless --kv says otherwise. After Ctrl-C, --resume continues from the last save.</source>
        <translation>计算 TEXT（文件，或 - 表示标准输入），并对每个矩阵的输入平方求和，各专家分别计算。
除非 --kv 另有指定，KV 缓存为 f32。按 Ctrl-C 之后，--resume 从上次保存处继续。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>%1 × %2 (%3)</source>
        <translation>%1 × %2（%3）</translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n files are here</source>
        <translation>
            <numerusform>此处有 %n 个文件中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 version %2</source>
        <translation>%1 版本 %2</translation>
    </message>
    <message>
        <source>%1-endian</source>
        <translation>字节序 %1</translation>
    </message>
    <message>
        <source>alignment %1</source>
        <translation>对齐 %1</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>importance matrix</source>
        <translation>重要性矩阵</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%2 bytes)</source>
        <translation>
            <numerusform>%1（%2 字节）</numerusform>
        </translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Metadata (%1)</source>
        <translation>元数据（%1）</translation>
    </message>
    <message>
        <source>Tensors (%1)</source>
        <translation>张量（%1）</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>describe the architecture: its blocks, and what is in them</source>
        <translation>描述架构：各个块及其内容</translation>
    </message>
    <message>
        <source>Findings (%1)</source>
        <translation>问题（%1）</translation>
    </message>
    <message>
        <source>FILE [--diagram]</source>
        <translation>FILE [--diagram]</translation>
    </message>
    <message>
        <source>Shows the format, metadata and tensors of a model</source>
        <translation>显示模型的格式、元数据和张量</translation>
    </message>
    <message>
        <source>Reads only the header, whatever the size of the model. Any shard of a set stands for the whole set, and any piece
of a cut file for the file. For a store of Ollama, its models are listed. Long values are truncated; use get to see
them in full.</source>
        <translation>无论模型多大，都只读取文件头。分片组中任一分片代表整组，被切割文件的任一段代表该文件。
对于 Ollama 的存储，会列出其中的模型。
较长的值会截短；使用 get 可完整查看。</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source> (trained with %1)</source>
        <translation>（训练时为 %1）</translation>
    </message>
    <message numerus="yes">
        <source>Context of %n tokens%1, batch of %2, KV cache in %3</source>
        <translation>
            <numerusform>上下文 %n 个词元%1，批大小 %2，KV 缓存为 %3</numerusform>
        </translation>
    </message>
    <message>
        <source>mapped from the file</source>
        <translation>从文件映射</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>Snapshots of the state</source>
        <translation>状态快照</translation>
    </message>
    <message>
        <source>to return to</source>
        <translation>用于回退</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>logits</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>of which not file-backed: %1</source>
        <translation>其中非文件映射的内存：%1</translation>
    </message>
    <message>
        <source>gufo-cli itself</source>
        <translation>gufo-cli 自身</translation>
    </message>
    <message>
        <source>with tokenizer and sampler; not in the total</source>
        <translation>含分词器和采样器；不计入总计</translation>
    </message>
    <message>
        <source>include the memory of drafts by the model&apos;s own block that predicts further tokens</source>
        <translation>计入由模型自身预测后续词元的块生成草稿所需的内存</translation>
    </message>
    <message>
        <source>FILE [--context N] [--kv TYPE] [--batch N]</source>
        <translation>FILE [--context N] [--kv TYPE] [--batch N]</translation>
    </message>
    <message>
        <source>Shows how much memory running the model needs</source>
        <translation>显示运行模型需要多少内存</translation>
    </message>
    <message>
        <source>Lists the memory for weights, KV cache, recurrent state, buffers and logits, and whether this machine has enough.
For models that this engine cannot run, the figures are estimated from the header.</source>
        <translation>列出权重、KV 缓存、循环状态、缓冲区和 logits 的内存，以及本机是否足够。
对于此引擎无法运行的模型，数值根据文件头估算。</translation>
    </message>
    <message>
        <source>Percentile</source>
        <translation>百分位数</translation>
    </message>
    <message>
        <source>KL (nats)</source>
        <translation>KL (nat)</translation>
    </message>
    <message>
        <source>Δp (%)</source>
        <translation>Δp (%)</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>least</source>
        <translation>最小</translation>
    </message>
    <message numerus="yes">
        <source>Perplexity: %1 ± %2 over %n tokens</source>
        <translation>
            <numerusform>困惑度：%1 ± %2，共 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Other model: %1 ± %2</source>
        <translation>另一模型：%1 ± %2</translation>
    </message>
    <message>
        <source>Ratio of the perplexities: %1 ± %2</source>
        <translation>困惑度之比：%1 ± %2</translation>
    </message>
    <message>
        <source>KL divergence: mean %1 ± %2, largest %3 nats</source>
        <translation>KL 散度：平均 %1 ± %2，最大 %3 nat</translation>
    </message>
    <message>
        <source>Change of the following token&apos;s probability (Δp): mean %1 ± %2 %, RMS %3 ± %4 %</source>
        <translation>下一个词元概率的变化 (Δp)：平均 %1 ± %2%，RMS %3 ± %4%</translation>
    </message>
    <message>
        <source>Same most likely token: %1 ± %2 %</source>
        <translation>最可能的词元相同：%1 ± %2%</translation>
    </message>
    <message>
        <source>%1: %2; the KL divergence needs models of the same vocabulary</source>
        <translation>%1：%2；KL 散度需要词表相同的模型</translation>
    </message>
    <message numerus="yes">
        <source>it predicts %n tokens, the reference %1</source>
        <translation>
            <numerusform>它预测 %n 个词元，参照预测 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no window and were left out; see --ctx.</source>
        <translation>
            <numerusform>文本的最后 %n 个词元不足一个窗口，已略去；参见 --ctx。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>perplexity: the text has %n tokens, but a window needs %1; use a longer text or a smaller --ctx</source>
        <translation>
            <numerusform>perplexity：文本有 %n 个词元，但窗口需要 %1 个；请使用更长的文本或更小的 --ctx</numerusform>
        </translation>
    </message>
    <message>
        <source>perplexity: --against needs the probabilities of all tokens, which a server does not report</source>
        <translation>perplexity：--against 需要所有词元的概率，而服务器不提供这些概率</translation>
    </message>
    <message>
        <source>perplexity: a window of %1 tokens does not fit into the server&apos;s context of %2; use a smaller --ctx</source>
        <translation>perplexity：%1 个词元的窗口放不进服务器 %2 的上下文；请使用更小的 --ctx</translation>
    </message>
    <message>
        <source>scoring</source>
        <translation>正在评分</translation>
    </message>
    <message>
        <source>perplexity: the server does not report the probability of a token that ends inside a character; use a text without such characters</source>
        <translation>perplexity：服务器不提供在字符中间结束的词元的概率；请使用没有这类字符的文本</translation>
    </message>
    <message>
        <source>OTHER</source>
        <translation>OTHER</translation>
    </message>
    <message>
        <source>compare with a model of the same vocabulary: its perplexity, KL divergence and agreement</source>
        <translation>与词表相同的模型比较：其困惑度、KL 散度和一致程度</translation>
    </message>
    <message>
        <source>tokens per window, of which the second half is scored; default: 512, or the context of the model if that is shorter</source>
        <translation>每个窗口的词元数，只对后半部分评分；默认：512；如果模型的上下文更短，则以其为准</translation>
    </message>
    <message>
        <source>FILE TEXT [--against OTHER] [--with REGEX=FILE …] [--ctx N]</source>
        <translation>FILE TEXT [--against OTHER] [--with REGEX=FILE …] [--ctx N]</translation>
    </message>
    <message>
        <source>Measures how well the model predicts a text</source>
        <translation>衡量模型预测一段文本的准确程度</translation>
    </message>
    <message>
        <source>TEXT is a file, or - for standard input. With --against, both models run in lock step, so no file of logits is needed.
With --with, the second model has tensors of further files; without --against, it is FILE with these tensors.
With --engine, a server that runs the same model scores one token for each request.</source>
        <translation>TEXT 是文件，或 - 表示标准输入。使用 --against 时两个模型同步运行，因此不需要 logits 文件。
使用 --with 时，第二个模型带有其他文件的张量；没有 --against 时，它是带有这些张量的 FILE。
使用 --engine 时，由运行同一模型的服务器在每次请求中为一个词元评分。</translation>
    </message>
    <message>
        <source>--target takes a size such as 4.2GB, not &quot;%1&quot;</source>
        <translation>--target 接受 4.2GB 之类的大小，而不是“%1”</translation>
    </message>
    <message>
        <source>%1 bits per weight</source>
        <translation>每权重 %1 位</translation>
    </message>
    <message>
        <source>KL divergence of %1 nats</source>
        <translation>%1 nat 的 KL 散度</translation>
    </message>
    <message>
        <source>one of --target, --bpw and --kl is needed</source>
        <translation>需要 --target、--bpw 和 --kl 之一</translation>
    </message>
    <message>
        <source>calibrating</source>
        <translation>正在校准</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>%1: %2 (%3 bytes), %4 bits per weight, expected KL divergence: %5 nats</source>
        <translation>%1：%2（%3 字节），每权重 %4 位，预期 KL 散度：%5 nat</translation>
    </message>
    <message>
        <source>The costs are published ones of another model; --calibrate TEXT measures them on this one.</source>
        <translation>代价采用另一模型的公开数据；--calibrate TEXT 可在此模型上测量。</translation>
    </message>
    <message>
        <source>size of the file, such as 4.2GB or a number of bytes</source>
        <translation>文件的大小，例如 4.2GB 或字节数</translation>
    </message>
    <message>
        <source>bits per weight over all tensors</source>
        <translation>所有张量的每权重位数</translation>
    </message>
    <message>
        <source>the smallest file with at most this expected KL divergence in nats</source>
        <translation>预期 KL 散度不超过此值（以 nat 为单位）的最小文件</translation>
    </message>
    <message>
        <source>importance matrix of this model, by which errors are weighted</source>
        <translation>此模型的重要性矩阵，用于对误差加权</translation>
    </message>
    <message>
        <source>measure on this text how much the model loses by errors in each role of tensors; default: published figures of another model</source>
        <translation>在此文本上测量每种张量角色的误差给模型带来多少损失；默认：另一模型的公开数据</translation>
    </message>
    <message>
        <source>with --calibrate: tokens of the text that are evaluated, of which the second half is scored; default: 512, or the text or the context of the model if that is shorter</source>
        <translation>与 --calibrate 一起使用：文本中计算的词元数，只对后半部分评分；默认：512；如果文本或模型的上下文更短，则以其为准</translation>
    </message>
    <message>
        <source>let queries, keys and values of a block, and gate and up, have different types</source>
        <translation>允许同一块的查询、键和值以及门控和上投影采用不同类型</translation>
    </message>
    <message>
        <source>RECIPE</source>
        <translation>RECIPE</translation>
    </message>
    <message>
        <source>the recipe to write, for quantize --recipe</source>
        <translation>要写出的配方，供 quantize --recipe 使用</translation>
    </message>
    <message>
        <source>plan: -o RECIPE is needed</source>
        <translation>plan：需要 -o RECIPE</translation>
    </message>
    <message>
        <source>measuring errors</source>
        <translation>正在测量误差</translation>
    </message>
    <message>
        <source>%1: the model has no matrices of floating-point numbers to be quantised; plan with the original file</source>
        <translation>%1：模型没有可量化的浮点数矩阵；请用原始文件制定方案</translation>
    </message>
    <message>
        <source>MODEL --target SIZE|--bpw X|--kl X [--calibrate TEXT] -o RECIPE</source>
        <translation>MODEL --target SIZE|--bpw X|--kl X [--calibrate TEXT] -o RECIPE</translation>
    </message>
    <message>
        <source>Chooses the type of each tensor for a given size or quality</source>
        <translation>按给定的大小或质量选择每个张量的类型</translation>
    </message>
    <message>
        <source>MODEL is the original, with floating-point weights. Writes a recipe for gufo-cli quantize IN OUT --recipe RECIPE, and
shows the exact size of that file. With --calibrate, tensors are quantised in memory and swapped in to measure the costs.</source>
        <translation>MODEL 为原始模型，权重为浮点数。写出供 gufo-cli quantize IN OUT --recipe RECIPE 使用的配方，并
显示该文件的准确大小。使用 --calibrate 时，在内存中量化张量并换入，以测量代价。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a type that can be written; these are %2</source>
        <translation>“%1”不是可以写入的类型；可用的类型为 %2</translation>
    </message>
    <message>
        <source>--tensor takes REGEX=TYPE, not &quot;%1&quot;</source>
        <translation>--tensor 接受 REGEX=TYPE，而不是“%1”</translation>
    </message>
    <message>
        <source>--tensor: &quot;%1&quot; is not a regular expression: %2</source>
        <translation>--tensor：“%1”不是正则表达式：%2</translation>
    </message>
    <message>
        <source>%1: %2, %3 bits per weight (before: %4, %5)</source>
        <translation>%1：%2，每权重 %3 位（之前：%4，%5）</translation>
    </message>
    <message>
        <source>quantising</source>
        <translation>正在量化</translation>
    </message>
    <message>
        <source>use --allow-requantize to quantise it again</source>
        <translation>使用 --allow-requantize 可重新量化它</translation>
    </message>
    <message>
        <source>REGEX=TYPE</source>
        <translation>REGEX=TYPE</translation>
    </message>
    <message>
        <source>type of tensors whose name matches, except those that are not quantised, such as norms, which need their full name; may be repeated, the first match counts</source>
        <translation>名称匹配的张量的类型，不包括不量化的张量（例如归一化张量，须写出其完整名称）；可重复使用，以第一个匹配为准</translation>
    </message>
    <message>
        <source>take the types from a file instead of TYPE: lines of REGEX = TYPE, of which the first that matches counts; a last line * = TYPE is for the rest, which otherwise keeps its types</source>
        <translation>从文件取得类型，代替 TYPE：由 REGEX = TYPE 组成的行，以第一个匹配的为准；最后一行 * = TYPE 用于其余张量，否则其余张量保持其类型</translation>
    </message>
    <message>
        <source>type of the output tensor</source>
        <translation>输出张量的类型</translation>
    </message>
    <message>
        <source>type of the token embedding</source>
        <translation>词元嵌入的类型</translation>
    </message>
    <message>
        <source>requantise tensors that are already quantised, which loses more than quantising the original</source>
        <translation>重新量化已量化的张量，其损失大于量化原始模型</translation>
    </message>
    <message>
        <source>only show what would be written and its size</source>
        <translation>只显示会写出什么及其大小</translation>
    </message>
    <message>
        <source>quantize: --recipe stands for TYPE, so &quot;%1&quot; is an argument too many</source>
        <translation>quantize：--recipe 代替 TYPE，因此“%1”是多余的参数</translation>
    </message>
    <message>
        <source>an argument is missing; usage: gufo-cli quantize IN OUT TYPE</source>
        <translation>缺少一个参数；用法：gufo-cli quantize IN OUT TYPE</translation>
    </message>
    <message>
        <source>Writes the model with other tensor types to a new file</source>
        <translation>以其他张量类型将模型写入新文件</translation>
    </message>
    <message>
        <source>There is no interrupted save of this file.</source>
        <translation>此文件没有中断的保存。</translation>
    </message>
    <message>
        <source>An interrupted save was undone: the file is as it was before.</source>
        <translation>已撤销一次中断的保存：文件与之前相同。</translation>
    </message>
    <message>
        <source>An interrupted save was completed: the file contains the changes.</source>
        <translation>已完成一次中断的保存：文件含有更改。</translation>
    </message>
    <message>
        <source>also accept a copy of the file that was made together with its journal, if its bytes match</source>
        <translation>也接受连同日志一起复制的文件副本（字节须相符）</translation>
    </message>
    <message>
        <source>FILE [--moved]</source>
        <translation>FILE [--moved]</translation>
    </message>
    <message>
        <source>Undoes or completes an interrupted save</source>
        <translation>撤销或完成中断的保存</translation>
    </message>
    <message>
        <source>Uses the journal beside the file, as opening the file also does. Afterwards the file is entirely the old or the new version.</source>
        <translation>使用文件旁边的日志，打开文件时也会这样做。此后文件要么完全是旧版本，要么完全是新版本。</translation>
    </message>
    <message>
        <source>render: --arg takes NAME=JSON, not &quot;%1&quot;</source>
        <translation>render：--arg 接受 NAME=JSON，而不是“%1”</translation>
    </message>
    <message>
        <source>name of the model&apos;s template to use, of which &quot;default&quot; is tokenizer.chat_template; or a file with a template (@FILE if a template of the model has the same name)</source>
        <translation>要使用的模型自带模板的名称，其中“default”为 tokenizer.chat_template；或含有模板的文件（如果模型有同名模板，则写 @FILE）</translation>
    </message>
    <message>
        <source>a list of {&quot;role&quot;, &quot;content&quot;}, or @FILE; default: a short conversation</source>
        <translation>{&quot;role&quot;, &quot;content&quot;} 的列表，或 @FILE；默认：一段简短的对话</translation>
    </message>
    <message>
        <source>do not append the beginning of the assistant&apos;s answer</source>
        <translation>不追加助手回答的开头</translation>
    </message>
    <message>
        <source>FILE [--template NAME|FILE] [--messages JSON|@FILE] [--tools JSON|@FILE] [--arg NAME=JSON]…</source>
        <translation>FILE [--template NAME|FILE] [--messages JSON|@FILE] [--tools JSON|@FILE] [--arg NAME=JSON]…</translation>
    </message>
    <message>
        <source>Renders a conversation with the chat template</source>
        <translation>用聊天模板渲染对话</translation>
    </message>
    <message>
        <source>Renders as Hugging Face transformers does: Jinja2 with trim_blocks and lstrip_blocks. The text is written byte for byte
(with a line break after it only on a terminal). A template may use 1 s and 400 MB.</source>
        <translation>按 Hugging Face transformers 的方式渲染：Jinja2，启用 trim_blocks 和 lstrip_blocks。文本逐字节写出
（仅在终端上于其后换行）。模板最多可用 1 秒和 400 MB。</translation>
    </message>
    <message numerus="yes">
        <source>the scores are those of the first of %n labels, %1; --json prints those of all</source>
        <translation>
            <numerusform>分数是 %n 个标签中第一个标签 %1 的分数；--json 输出所有标签的分数</numerusform>
        </translation>
    </message>
    <message>
        <source>FILE QUERY TEXT…</source>
        <translation>FILE QUERY TEXT…</translation>
    </message>
    <message>
        <source>Sorts texts by how well they answer a query, with a ranking model</source>
        <translation>用重排序模型，按与查询的契合程度对文本排序</translation>
    </message>
    <message>
        <source>Prints the best text first, each with its score. Query and text are joined by the template &quot;rerank&quot; of the file or,
without one, by its separator.</source>
        <translation>最佳文本最先输出，各附分数。查询与文本用文件的模板“rerank”拼接，
没有该模板时用其分隔符拼接。</translation>
    </message>
    <message>
        <source>nothing to do: KEY=VALUE or another edit is needed</source>
        <translation>无事可做：需要 KEY=VALUE 或其他编辑</translation>
    </message>
    <message>
        <source>%1 is a new key.</source>
        <translation>%1 是新键。</translation>
    </message>
    <message>
        <source>--%1: error in the regular expression %2: %3</source>
        <translation>--%1：正则表达式 %2 有误：%3</translation>
    </message>
    <message>
        <source>--strategy takes auto, patch, shift, clone or copy, not &quot;%1&quot;</source>
        <translation>--strategy 接受 auto、patch、shift、clone 或 copy，而不是“%1”</translation>
    </message>
    <message>
        <source>Saving writes the new file %1.</source>
        <translation>保存会写出新文件 %1。</translation>
    </message>
    <message>
        <source>Nothing was written (--dry-run).</source>
        <translation>没有写入任何内容（--dry-run）。</translation>
    </message>
    <message>
        <source>Nothing to save: the file already has these values.</source>
        <translation>无需保存：文件已有这些值。</translation>
    </message>
    <message>
        <source>%1: %2 (%3), %4 written in %5 ms</source>
        <translation>%1：%2（%3），写入 %4，用时 %5 毫秒</translation>
    </message>
    <message>
        <source>Tensor bytes before and after: %1</source>
        <translation>保存前后的张量字节：%1</translation>
    </message>
    <message>
        <source>only show what would change, and how it would be saved</source>
        <translation>只显示会更改什么以及如何保存</translation>
    </message>
    <message>
        <source>T</source>
        <translation>T</translation>
    </message>
    <message>
        <source>type of all values: u8 i8 … f64 bool str, or arr[T]</source>
        <translation>所有值的类型：u8 i8 … f64 bool str，或 arr[T]</translation>
    </message>
    <message>
        <source>KEY=PATH</source>
        <translation>KEY=PATH</translation>
    </message>
    <message>
        <source>set a key to the content of a file, byte for byte if the key is a string</source>
        <translation>将键设为文件的内容；如果键是字符串则逐字节保留</translation>
    </message>
    <message>
        <source>set a key to the JSON value in a file</source>
        <translation>将键设为文件中的 JSON 值</translation>
    </message>
    <message>
        <source>set all keys of a JSON file, with their types</source>
        <translation>设置 JSON 文件中的所有键及其类型</translation>
    </message>
    <message>
        <source>ADDRESS</source>
        <translation>ADDRESS</translation>
    </message>
    <message>
        <source>take all keys of a newer version of the file, which has the same tensors; ADDRESS is as in download, or a file. Its weights are not fetched, but random parts of them are compared</source>
        <translation>采用该文件较新版本的所有键，其张量须相同；ADDRESS 同 download，或为文件。不获取其权重，但会比较权重的随机部分</translation>
    </message>
    <message>
        <source>apply the repairs that findings offer, after the other edits: all, or those of the codes that follow FILE</source>
        <translation>在其他编辑之后，应用问题所提供的修复：全部，或 FILE 之后所列代码的修复</translation>
    </message>
    <message>
        <source>delete a key</source>
        <translation>删除键</translation>
    </message>
    <message>
        <source>OLD=NEW</source>
        <translation>OLD=NEW</translation>
    </message>
    <message>
        <source>rename a key</source>
        <translation>重命名键</translation>
    </message>
    <message>
        <source>REGEX=NEW</source>
        <translation>REGEX=NEW</translation>
    </message>
    <message>
        <source>replace what REGEX matches in tensor names by NEW (\1: the first group)</source>
        <translation>将张量名称中 REGEX 匹配的部分替换为 NEW（\1：第一个组）</translation>
    </message>
    <message>
        <source>delete the tensors whose whole name matches</source>
        <translation>删除完整名称匹配的张量</translation>
    </message>
    <message>
        <source>write to another file and leave this one unchanged</source>
        <translation>写入另一个文件，不更改此文件</translation>
    </message>
    <message>
        <source>S</source>
        <translation>S</translation>
    </message>
    <message>
        <source>how to save: auto (default), patch, shift, clone or copy; fails if it is impossible</source>
        <translation>保存方式：auto（默认）、patch、shift、clone 或 copy；无法实现时失败</translation>
    </message>
    <message>
        <source>verify that the tensor bytes are unchanged by hashing them before and after</source>
        <translation>通过前后的哈希验证张量字节没有改变</translation>
    </message>
    <message>
        <source>edit in place even if the file has hard links or is named by the hash of its content</source>
        <translation>即使文件有硬链接，或以其内容的哈希命名，也原地编辑</translation>
    </message>
    <message>
        <source>reserve no space for later edits, and release reserved space</source>
        <translation>不为以后的编辑预留空间，并释放已预留的空间</translation>
    </message>
    <message>
        <source>FILE KEY=VALUE… [--repair [CODE…]] [--type T] [--file KEY=PATH] [--delete KEY] [--rename OLD=NEW] [-o OUT]</source>
        <translation>FILE KEY=VALUE… [--repair [CODE…]] [--type T] [--file KEY=PATH] [--delete KEY] [--rename OLD=NEW] [-o OUT]</translation>
    </message>
    <message>
        <source>Edits metadata and tensor names, in place or in a new file</source>
        <translation>原地或在新文件中编辑元数据和张量名称</translation>
    </message>
    <message>
        <source>(all tensors)</source>
        <translation>（所有张量）</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>omitted, because their values cannot be read: %1</source>
        <translation>因无法读取其值而略去：%1</translation>
    </message>
    <message>
        <source>all tensors</source>
        <translation>所有张量</translation>
    </message>
    <message>
        <source>print a histogram of N bins for each tensor; --json always contains one (default: 256 bins)</source>
        <translation>为每个张量输出 N 个区间的直方图；--json 总是包含直方图（默认：256 个区间）</translation>
    </message>
    <message>
        <source>also treat all decodable tensors as one population</source>
        <translation>另将所有可解码的张量视为一个总体</translation>
    </message>
    <message>
        <source>stats: --filter %1 matches no tensor</source>
        <translation>stats：--filter %1 不匹配任何张量</translation>
    </message>
    <message>
        <source>Prints statistics and histograms of tensors (default: all)</source>
        <translation>输出张量的统计和直方图（默认：所有张量）</translation>
    </message>
    <message>
        <source>Over finite values: minimum, maximum, mean, standard deviation (population), mean of absolute values, skewness, excess
kurtosis. NaN and infinities are counted. All weights are read; Ctrl-C cancels.</source>
        <translation>针对有限值：最小值、最大值、均值、标准差（总体）、绝对值的均值、偏度、超值峰度。
会统计 NaN 和无穷大。读取所有权重；Ctrl-C 取消。</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Mean |x|</source>
        <translation>|x| 均值</translation>
    </message>
    <message>
        <source>Skew</source>
        <translation>偏度</translation>
    </message>
    <message>
        <source>Kurtosis</source>
        <translation>峰度</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Inf</source>
        <translation>Inf</translation>
    </message>
    <message>
        <source>First NaN or Inf</source>
        <translation>第一个 NaN 或 Inf</translation>
    </message>
    <message>
        <source>at weight %1</source>
        <translation>位于权重 %1</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Of the text</source>
        <translation>对应文本</translation>
    </message>
    <message>
        <source>Tokens: %1; bytes: %2</source>
        <translation>词元：%1；字节：%2</translation>
    </message>
    <message>
        <source>print only the ids, on one line</source>
        <translation>只在一行中输出 ID</translation>
    </message>
    <message>
        <source>do not add the tokens that begin or end a text</source>
        <translation>不添加开始或结束文本的词元</translation>
    </message>
    <message>
        <source>read text such as &lt;s&gt; as the control token of that name</source>
        <translation>将 &lt;s&gt; 之类的文本读作同名的控制词元</translation>
    </message>
    <message>
        <source>FILE TEXT [--ids] [--no-bos] [--special]</source>
        <translation>FILE TEXT [--ids] [--no-bos] [--special]</translation>
    </message>
    <message>
        <source>Prints the tokens of a text</source>
        <translation>输出文本的词元</translation>
    </message>
    <message>
        <source>TEXT may be - for standard input. Bytes that are not UTF-8 are tokenized too if the tokenizer supports it.</source>
        <translation>TEXT 可以是 -，表示标准输入。如果分词器支持，非 UTF-8 的字节也会分词。</translation>
    </message>
    <message>
        <source>write control tokens as text instead of omitting them</source>
        <translation>将控制词元写为文本，而不是略去</translation>
    </message>
    <message>
        <source>FILE IDS… [--special]</source>
        <translation>FILE IDS… [--special]</translation>
    </message>
    <message>
        <source>Prints the text of token ids</source>
        <translation>输出词元 ID 对应的文本</translation>
    </message>
    <message>
        <source>IDS are numbers separated by spaces or commas, or - for standard input. The text is written byte for byte
(with a line break after it only on a terminal).</source>
        <translation>IDS 为以空格或逗号分隔的数字，或 -，表示标准输入。文本逐字节写出
（仅在终端上于其后换行）。</translation>
    </message>
    <message>
        <source>Errors: %1, warnings: %2, notes: %3; checks passed: %4</source>
        <translation>错误：%1，警告：%2，提示：%3；通过的检查：%4</translation>
    </message>
    <message>
        <source>Not run: the search for NaN and infinity, which reads all weights (--deep)</source>
        <translation>未运行：查找 NaN 和无穷大，这需要读取所有权重（--deep）</translation>
    </message>
    <message>
        <source>Not judged: whether all tensors are there that the model needs, because parts are missing or the architecture is not known to Gufo&apos;s engine</source>
        <translation>未判断：模型所需的张量是否齐全，因为缺少分片，或 Gufo 的引擎不认识该架构</translation>
    </message>
    <message>
        <source>Not run: the check of chat templates, because gufo-render-helper did not respond</source>
        <translation>未运行：聊天模板检查，因为 gufo-render-helper 没有响应</translation>
    </message>
    <message>
        <source>reading weights</source>
        <translation>正在读取权重</translation>
    </message>
    <message>
        <source>also search all weights for NaN and infinity</source>
        <translation>另在所有权重中查找 NaN 和无穷大</translation>
    </message>
    <message>
        <source>Checks a model: lists what is wrong or unusual, where, and how to fix it</source>
        <translation>检查模型：列出错误或不寻常之处、位置以及修复方法</translation>
    </message>
    <message>
        <source>is the file on the hub</source>
        <translation>是 Hub 上的文件</translation>
    </message>
    <message>
        <source>equals the file on the hub in its header and random parts (%1)</source>
        <translation>文件头和随机部分与 Hub 上的文件相同（%1）</translation>
    </message>
    <message>
        <source>differs in size from the file on the hub</source>
        <translation>大小与 Hub 上的文件不同</translation>
    </message>
    <message>
        <source>differs from the file on the hub between byte %1 and byte %2</source>
        <translation>在字节 %1 与字节 %2 之间与 Hub 上的文件不同</translation>
    </message>
    <message>
        <source>is not the file of the hub: its SHA-256 is another one</source>
        <translation>不是 Hub 上的文件：其 SHA-256 不同</translation>
    </message>
    <message>
        <source>compare only the size, the header and 30 random parts of 64 KiB</source>
        <translation>只比较大小、文件头和 30 个随机的 64 KiB 部分</translation>
    </message>
    <message>
        <source>FILE ADDRESS [--quick]</source>
        <translation>FILE ADDRESS [--quick]</translation>
    </message>
    <message>
        <source>Checks whether a file is identical to the one on the hub</source>
        <translation>检查文件是否与 Hub 上的相同</translation>
    </message>
    <message>
        <source>Compares the size and the SHA-256, which reads the whole file, or with --quick only parts of it, which takes seconds.
ADDRESS is as in download. FILE may be any shard. The exit code is 1 if anything differs.</source>
        <translation>比较大小和 SHA-256，这需要读取整个文件；使用 --quick 时只比较部分内容，只需几秒。
ADDRESS 同 download。FILE 可以是任一分片。如有任何差异，退出码为 1。</translation>
    </message>
    <message>
        <source>the file is written anew</source>
        <translation>重新写出文件</translation>
    </message>
    <message>
        <source>%1: the blocks that predict further tokens, %2</source>
        <translation>%1：预测后续词元的块，%2</translation>
    </message>
    <message>
        <source>--%1 takes numbers of blocks, such as 3,7-9, not &quot;%2&quot;</source>
        <translation>--%1 接受 3,7-9 之类的块编号，而不是“%2”</translation>
    </message>
    <message>
        <source>MTP.gguf</source>
        <translation>MTP.gguf</translation>
    </message>
    <message>
        <source>write the blocks that predict further tokens to a file of their own</source>
        <translation>将预测后续词元的块写入单独的文件</translation>
    </message>
    <message>
        <source>remove the blocks that predict further tokens</source>
        <translation>移除预测后续词元的块</translation>
    </message>
    <message>
        <source>add those of another file of the model</source>
        <translation>添加该模型另一个文件中的此类块</translation>
    </message>
    <message>
        <source>LIST</source>
        <translation>LIST</translation>
    </message>
    <message>
        <source>remove blocks, such as 3,7-9; the later ones move up</source>
        <translation>移除块，例如 3,7-9；后面的块依次前移</translation>
    </message>
    <message>
        <source>put a copy of each range, such as 4-7, behind it</source>
        <translation>在每个范围（例如 4-7）之后放入其副本</translation>
    </message>
    <message>
        <source>The routers part first in block %1, at token %2.</source>
        <translation>路由器首次出现分歧是在块 %1 的词元 %2 处。</translation>
    </message>
    <message>
        <source>OUT.json</source>
        <translation>OUT.json</translation>
    </message>
    <message>
        <source>write to a file; default: standard output</source>
        <translation>写入文件；默认：标准输出</translation>
    </message>
    <message>
        <source>FILE [KEY…] [-o OUT.json]</source>
        <translation>FILE [KEY…] [-o OUT.json]</translation>
    </message>
    <message>
        <source>Writes the metadata as JSON, for set --import</source>
        <translation>以 JSON 写出元数据，供 set --import 使用</translation>
    </message>
    <message>
        <source>Writes all keys with their types and full values, or those that are named. gufo-cli set OTHER --import OUT.json
sets them in another file.</source>
        <translation>写出所有键或指定的键，包括类型和完整的值。gufo-cli set OTHER --import OUT.json
可将它们设置到另一个文件中。</translation>
    </message>
    <message>
        <source>--what takes attention, lens, experts or norms, not &quot;%1&quot;</source>
        <translation>--what 接受 attention、lens、experts 或 norms，而不是“%1”</translation>
    </message>
    <message>
        <source>--what attention, lens, experts or norms is needed</source>
        <translation>需要 --what attention、lens、experts 或 norms</translation>
    </message>
    <message>
        <source>--%1 is for --what attention</source>
        <translation>--%1 用于 --what attention</translation>
    </message>
    <message>
        <source>--candidates is for --what lens</source>
        <translation>--candidates 用于 --what lens</translation>
    </message>
    <message>
        <source>inspect: give either --tokens IDS or --prompt TEXT</source>
        <translation>inspect：请给出 --tokens IDS 或 --prompt TEXT 之一</translation>
    </message>
    <message>
        <source>Block %1; the last token, and means over all tokens</source>
        <translation>块 %1；最后一个词元，以及所有词元的均值</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>Sink</source>
        <translation>汇点</translation>
    </message>
    <message>
        <source>The last token looks at</source>
        <translation>最后一个词元关注</translation>
    </message>
    <message>
        <source>After the last token, &quot;%1&quot; is first from block %2 on</source>
        <translation>最后一个词元之后，“%1”从块 %2 起居首位</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>Most likely</source>
        <translation>最可能</translation>
    </message>
    <message>
        <source>Busiest experts</source>
        <translation>负载最高的专家</translation>
    </message>
    <message>
        <source>Of the last token</source>
        <translation>最后一个词元的专家</translation>
    </message>
    <message>
        <source>At the last token</source>
        <translation>最后一个词元处</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>残差流</translation>
    </message>
    <message>
        <source>Attention or state</source>
        <translation>注意力或状态</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Norms of the state, by head</source>
        <translation>状态的范数，按头</translation>
    </message>
    <message>
        <source>Mean decay</source>
        <translation>平均衰减</translation>
    </message>
    <message>
        <source>The first NaN is at token %1 in block %2 (%3).</source>
        <translation>第一个 NaN 位于块 %2 的词元 %1 处（%3）。</translation>
    </message>
    <message>
        <source>context length whose RoPE factors are used; default: the trained length</source>
        <translation>使用其 RoPE 因子的上下文长度；默认：训练长度</translation>
    </message>
    <message>
        <source>attention, lens (the most likely tokens after each block), experts, or norms (sizes of what blocks add, and of states)</source>
        <translation>attention、lens（每个块之后最可能的词元）、experts 或 norms（各块增量的幅度，以及状态的幅度）</translation>
    </message>
    <message>
        <source>a text instead of token ids</source>
        <translation>以文本代替词元 ID</translation>
    </message>
    <message>
        <source>attention: the block; default: the first one that attends</source>
        <translation>attention：块；默认：第一个有注意力的块</translation>
    </message>
    <message>
        <source>attention: a single head; default: all of the block, up to 512 tokens</source>
        <translation>attention：单个头；默认：块的所有头，最多 512 个词元</translation>
    </message>
    <message>
        <source>lens: tokens for each block; default: 5</source>
        <translation>lens：每个块的词元数；默认：5</translation>
    </message>
    <message>
        <source>write the array to a NumPy file</source>
        <translation>将数组写入 NumPy 文件</translation>
    </message>
    <message>
        <source>Shows what happens inside a model while it reads a text</source>
        <translation>显示模型读取文本时内部发生的情况</translation>
    </message>
    <message>
        <source>afterwards, run the result beside the original over a text that neither the importance matrix nor the plan has seen: KL divergence, agreement, and what a plan expected</source>
        <translation>随后将结果与原始模型并排运行，所用文本须是重要性矩阵和方案都未见过的：KL 散度、一致程度，以及方案的预期值</translation>
    </message>
    <message>
        <source>quantize: --verify needs the written file, so it cannot go with --dry-run</source>
        <translation>quantize：--verify 需要写出的文件，因此不能与 --dry-run 一起使用</translation>
    </message>
    <message>
        <source>IN OUT TYPE|--recipe FILE [--tensor REGEX=TYPE …] [--imatrix FILE] [--verify TEXT] [--dry-run]</source>
        <translation>IN OUT TYPE|--recipe FILE [--tensor REGEX=TYPE …] [--imatrix FILE] [--verify TEXT] [--dry-run]</translation>
    </message>
    <message>
        <source>TYPE is one of F32, BF16, F16, Q8_0, Q6_K, Q5_1, Q5_K_M, Q5_K_S, Q5_0, Q4_1, Q4_K_M, Q4_K_S, IQ4_NL, Q4_0, IQ4_XS,
MXFP4_MOE, Q3_K_L, Q3_K_M, Q3_K_S, IQ3_M, IQ3_S, IQ3_XS, IQ3_XXS, Q2_K, Q2_K_S, IQ2_M, IQ2_S, IQ2_XS,
IQ2_XXS, TQ2_0, IQ1_M, TQ1_0, IQ1_S. IQ1, IQ2 and IQ3_XXS need an importance matrix. With --dry-run, OUT
may be omitted. Shows the resulting size first. OUT is written completely or not at all; shards become one file.</source>
        <translation>TYPE 为以下之一：F32、BF16、F16、Q8_0、Q6_K、Q5_1、Q5_K_M、Q5_K_S、Q5_0、Q4_1、Q4_K_M、Q4_K_S、IQ4_NL、Q4_0、IQ4_XS、
MXFP4_MOE、Q3_K_L、Q3_K_M、Q3_K_S、IQ3_M、IQ3_S、IQ3_XS、IQ3_XXS、Q2_K、Q2_K_S、IQ2_M、IQ2_S、IQ2_XS、
IQ2_XXS、TQ2_0、IQ1_M、TQ1_0、IQ1_S。IQ1、IQ2 和 IQ3_XXS 需要重要性矩阵。使用 --dry-run 时
可省略 OUT。会先显示结果的大小。OUT 要么完整写出，要么完全不写；分片会合为一个文件。</translation>
    </message>
    <message>
        <source>add the SHA-256 of the file and of its weights, which reads it whole</source>
        <translation>加上文件及其权重的 SHA-256，这需要读取整个文件</translation>
    </message>
    <message>
        <source>load the model, and add the measured speed</source>
        <translation>加载模型，并加上测得的速度</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>FILE [--hash] [--speed] [-o OUT]</source>
        <translation>FILE [--hash] [--speed] [-o OUT]</translation>
    </message>
    <message>
        <source>Writes a text about a model for a thread about a fault</source>
        <translation>写出有关模型的文本，供在讨论帖中报告故障</translation>
    </message>
    <message>
        <source>The program, the machine, the identity of the file, its architecture, types, shapes, tokenizer, templates and
findings, as Markdown. It holds no folders of this computer.</source>
        <translation>程序、机器、文件的标识信息、架构、类型、形状、分词器、模板和
问题，格式为 Markdown。其中不含本机的文件夹。</translation>
    </message>
    <message>
        <source>EDIT</source>
        <translation>EDIT</translation>
    </message>
    <message>
        <source>extend:TOKEN[=TYPE[,ID]] adds a token, whose rows are the mean of all rows, or those of the token ID; trim:IDS removes tokens (5,32000-32063), and trim the unused ones</source>
        <translation>extend:TOKEN[=TYPE[,ID]] 添加词元，其行取所有行的均值，或取词元 ID 的行；trim:IDS 移除词元（5,32000-32063），trim 移除未使用的词元</translation>
    </message>
    <message>
        <source>All edits are saved together: first --header-from and --import, then --delete, --rename, values, tensors, blocks, and --vocab. The type of a value is that
of --type, of the key, of the key catalogue, or deduced: true, 12 (i32, u32, i64, u64), 1.5 (f32), [&quot;a&quot;] (arr), text.
Names can stand for numbers (general.file_type=Q4_K_M); KEY[12]=VALUE sets one element. Ctrl-C leaves the file as it is.</source>
        <translation>所有编辑一起保存：先是 --header-from 和 --import，然后是 --delete、--rename、值、张量、块和 --vocab。值的类型依次取自
--type、键本身、键目录，或由内容推断：true、12（i32、u32、i64、u64）、1.5（f32）、[&quot;a&quot;]（arr）、文本。
数字可用名称代替（general.file_type=Q4_K_M）；KEY[12]=VALUE 设置单个元素。按 Ctrl-C 时文件保持原样。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Name by the convention: %1</source>
        <translation>按惯例的名称：%1</translation>
    </message>
    <message>
        <source>Ready to publish.</source>
        <translation>可以发布。</translation>
    </message>
    <message>
        <source>Not ready to publish: there are warnings or errors.</source>
        <translation>尚不能发布：存在警告或错误。</translation>
    </message>
    <message>
        <source>also check what readers of a page on a hub need: licence, links, base models, languages, names, sampling defaults; list the quantisations and the projectors and drafts of the folder</source>
        <translation>另检查 Hub 页面的读者所需的内容：许可证、链接、基础模型、语言、名称、采样默认值；列出文件夹中的量化版本、投影器和草稿模型</translation>
    </message>
    <message>
        <source>quantize: the text of --verify is too short</source>
        <translation>quantize：--verify 的文本过短</translation>
    </message>
    <message>
        <source>verifying</source>
        <translation>正在验证</translation>
    </message>
    <message numerus="yes">
        <source>Compared with the original over %n tokens:</source>
        <translation>
            <numerusform>在 %n 个词元上与原始模型比较：</numerusform>
        </translation>
    </message>
    <message>
        <source>KL divergence: mean %1 ± %2, 99 %: %3, 99.9 %: %4 nats</source>
        <translation>KL 散度：平均 %1 ± %2，99% 分位数：%3，99.9% 分位数：%4 nat</translation>
    </message>
    <message>
        <source>The plan expected %1; measured divided by expected: %2</source>
        <translation>方案的预期值为 %1；测量值除以预期值：%2</translation>
    </message>
    <message>
        <source>Same most likely token: %1 %, RMS Δp: %2 %</source>
        <translation>最可能的词元相同：%1%，RMS Δp：%2%</translation>
    </message>
    <message>
        <source>%1 is not the id of a token</source>
        <translation>%1 不是词元的 ID</translation>
    </message>
    <message>
        <source>%1 is neither the id of a token nor a range such as 32000-32063</source>
        <translation>%1 既不是词元的 ID，也不是 32000-32063 之类的范围</translation>
    </message>
    <message>
        <source>there is no token %1: ids go from 0 to %2</source>
        <translation>没有词元 %1：ID 从 0 到 %2</translation>
    </message>
    <message>
        <source>no token is unused; &quot;trim:IDS&quot; removes others</source>
        <translation>没有未使用的词元；“trim:IDS”可移除其他词元</translation>
    </message>
    <message>
        <source>it takes extend:TOKEN, trim or trim:IDS, not %1</source>
        <translation>接受 extend:TOKEN、trim 或 trim:IDS，而不是 %1</translation>
    </message>
    <message>
        <source>%1 of %2 experts stay in each block</source>
        <translation>每个块保留 %2 个专家中的 %1 个</translation>
    </message>
    <message>
        <source>--retype takes REGEX=TYPE, such as attn_v=Q6_K, not &quot;%1&quot;</source>
        <translation>--retype 接受 REGEX=TYPE，例如 attn_v=Q6_K，而不是“%1”</translation>
    </message>
    <message>
        <source>encoding</source>
        <translation>正在编码</translation>
    </message>
    <message>
        <source>--move-out takes REGEX=PATH, not &quot;%1&quot;</source>
        <translation>--move-out 接受 REGEX=PATH，而不是“%1”</translation>
    </message>
    <message>
        <source>the model needs these tensors, so that the rest has to be its first part: add -o %1</source>
        <translation>模型需要这些张量，因此其余部分必须是它的第一个分片：请添加 -o %1</translation>
    </message>
    <message>
        <source>%1: the tensors that were moved out, %2</source>
        <translation>%1：移出的张量，%2</translation>
    </message>
    <message>
        <source>N|PATH</source>
        <translation>N|PATH</translation>
    </message>
    <message>
        <source>keep N experts of each block, those that the importance matrix counts most often; all that an importance matrix PATH counts; or those of a list PATH with lines such as 3: 0,2,5-7</source>
        <translation>每个块保留 N 个专家，即重要性矩阵统计次数最多的专家；或保留重要性矩阵 PATH 统计到的所有专家；或保留列表 PATH 中的专家，其行形如 3: 0,2,5-7</translation>
    </message>
    <message>
        <source>the importance matrix for --keep-experts N; default: the one that the file names, beside it</source>
        <translation>用于 --keep-experts N 的重要性矩阵；默认：文件所指明且位于其旁的矩阵</translation>
    </message>
    <message>
        <source>write the tensors whose name matches in another type, such as attn_v=Q6_K; norms and the like need their full name</source>
        <translation>以另一种类型写入名称匹配的张量，例如 attn_v=Q6_K；归一化等张量须写出完整名称</translation>
    </message>
    <message>
        <source>REGEX=PATH</source>
        <translation>REGEX=PATH</translation>
    </message>
    <message>
        <source>move the tensors whose whole name matches to a file of their own: a projector, or a table; one that the model needs becomes its second part, with -o NAME-00001-of-00002.gguf</source>
        <translation>将完整名称匹配的张量移到单独的文件，例如投影器或某个表；模型需要的张量成为其第二个分片，此时用 -o NAME-00001-of-00002.gguf</translation>
    </message>
    <message>
        <source>also compare weights with the model from which the file is said to be quantised: a GGUF file with the same names of tensors</source>
        <translation>另将权重与文件所称的量化来源比较：张量名称相同的 GGUF 文件</translation>
    </message>
    <message>
        <source>FILE [--deep] [--base PATH] [--publish]</source>
        <translation>FILE [--deep] [--base PATH] [--publish]</translation>
    </message>
    <message>
        <source>Blocks, experts, types and files of a model</source>
        <translation>模型的块、专家、类型和文件</translation>
    </message>
    <message>
        <source>constrain the output to JSON that conforms to a schema; properties that it does not name are written only if it has additionalProperties</source>
        <translation>将输出限制为符合 Schema 的 JSON；只有在 Schema 包含 additionalProperties 时，才会写出其中未列出的属性</translation>
    </message>
    <message>
        <source>card: no model of the folder runs, so that --kl measures nothing</source>
        <translation>card：文件夹中没有可运行的模型，因此 --kl 无从测量</translation>
    </message>
    <message>
        <source>card: --kl compares the predictions of several quantisations, but %1 is the only one</source>
        <translation>card：--kl 用来比较多个量化版本的预测，但这里只有 %1</translation>
    </message>
    <message>
        <source>run the models of a folder on a text, and add how far their predictions diverge from the predictions of the largest one</source>
        <translation>在一段文本上运行文件夹中的模型，并加入它们的预测与最大模型的预测相差多远</translation>
    </message>
    <message>
        <source>FILE|FOLDER [-o README.md] [--kl TEXT]</source>
        <translation>FILE|FOLDER [-o README.md] [--kl TEXT]</translation>
    </message>
    <message numerus="yes">
        <source>the text of --kl has %n tokens, but at least %1 are needed</source>
        <translation>
            <numerusform>--kl 的文本有 %n 个词元，但至少需要 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Not judged: whether the weights are those of the base model, which has no tensors of these names and shapes</source>
        <translation>未判断：权重是否属于基础模型，因为它没有这些名称和形状的张量</translation>
    </message>
    <message>
        <source>The exit code is 1 if there is a warning or an error, or if nothing could be compared with the base model.</source>
        <translation>如有警告或错误，或没有任何内容可与基础模型比较，退出码为 1。</translation>
    </message>
    <message>
        <source>measure the N largest singular values of each matrix by a randomised subspace iteration, and its rows and columns with the most energy</source>
        <translation>用随机子空间迭代测量每个矩阵最大的 N 个奇异值，以及能量最大的行和列</translation>
    </message>
    <message>
        <source>TENSOR</source>
        <translation>TENSOR</translation>
    </message>
    <message>
        <source>Pearson&apos;s correlation of each tensor with this one, which has the same shape</source>
        <translation>每个张量与这个同形状张量的皮尔逊相关系数</translation>
    </message>
    <message>
        <source>FILE [TENSOR…] [--hist N] [--model] [--spectrum N]</source>
        <translation>FILE [TENSOR…] [--hist N] [--model] [--spectrum N]</translation>
    </message>
    <message numerus="yes">
        <source>  All %n singular values</source>
        <translation>
            <numerusform>  全部 %n 个奇异值</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>  The %n largest singular values</source>
        <translation>
            <numerusform>  最大的 %n 个奇异值</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>  Randomised subspace iteration (Halko, Martinsson, Tropp 2011), %n passes; the last one changed no value by more than %1 %</source>
        <translation>
            <numerusform>  随机子空间迭代（Halko、Martinsson、Tropp 2011），读取 %n 遍；最后一遍使各值的变化不超过 %1 %</numerusform>
        </translation>
    </message>
    <message>
        <source>Number</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Energy so far</source>
        <translation>累计能量</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能量</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>  Correlation with %1: %2 (%3 pairs; of independent ones: ± %4)</source>
        <translation>  与 %1 的相关系数：%2（%3 对；相互独立时为 ± %4）</translation>
    </message>
    <message>
        <source>  Correlation with %1: none, because all weights of a tensor are equal</source>
        <translation>  与 %1 的相关系数：无，因为其中一个张量的权重全部相等</translation>
    </message>
    <message>
        <source>The front matter (licence, base models, languages, data sets, tags) is as the Hugging Face Hub reads it, and comes from the keys general.* of the smallest model. A table lists the files with their types, sizes, bits per weight and memory.
Pictures of the sizes, of the bits per weight of each block and of the architecture are written beside OUT as SVG (README-sizes.svg, README-blocks.svg, README-diagram.svg).
The card holds no paths of this computer.</source>
        <translation>前置元数据（许可证、基础模型、语言、数据集、标签）采用 Hugging Face Hub 读取的格式，来自最小模型的 general.* 键。表格列出各文件及其类型、大小、每权重位数和内存。
大小、每个块的每权重位数以及架构的图片以 SVG 形式写在 OUT 旁（README-sizes.svg、README-blocks.svg、README-diagram.svg）。
模型卡不含本机的路径。</translation>
    </message>
    <message>
        <source>Only A</source>
        <translation>仅 A</translation>
    </message>
    <message>
        <source>Only B</source>
        <translation>仅 B</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>compare with a model of the same vocabulary and as many blocks, which reads the same tokens</source>
        <translation>与词表相同、块数相同并读取相同词元的模型进行比较</translation>
    </message>
    <message>
        <source>inspect: the models do not have the same number of heads or experts</source>
        <translation>inspect：两个模型的头数或专家数不同</translation>
    </message>
    <message>
        <source>FILE --what WHAT [-p TEXT|--tokens IDS] [--against B] [-o OUT]</source>
        <translation>FILE --what WHAT [-p TEXT|--tokens IDS] [--against B] [-o OUT]</translation>
    </message>
    <message>
        <source>OUT is an array whose last dimension varies fastest: attention [head][query][key] of one block, lens
[block][token][candidate], experts [block][token][used], norms [block][token]. Needs at most 256 MiB beside the model.
With --against, FILE is A: attention is the difference B − A, and the other arrays have the fields of both.</source>
        <translation>OUT 是一个数组，其最后一个维度变化最快：attention 为单个块的 [head][query][key]，lens 为
[block][token][candidate]，experts 为 [block][token][used]，norms 为 [block][token]。除模型外最多需要 256 MiB。
使用 --against 时，FILE 为 A：attention 是差 B − A，其他数组含两者的字段。</translation>
    </message>
</context>
<context>
    <name>gufo::ui</name>
    <message>
        <source>%1 is not a valid escape; the escapes are \n, \r, \t, \\, \xNN and \u{NNNN}.</source>
        <translation>%1 不是有效的转义；可用的转义为 \n、\r、\t、\\、\xNN 和 \u{NNNN}。</translation>
    </message>
    <message numerus="yes">
        <source>%1 … %n elements</source>
        <translation>
            <numerusform>%1 … 共 %n 个元素</numerusform>
        </translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>… and more rows</source>
        <translation>… 以及更多行</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more rows</source>
        <translation>
            <numerusform>… 另有 %n 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::AdapterModel</name>
    <message numerus="yes">
        <source>block %1, %n matrices</source>
        <translation>
            <numerusform>块 %1，%n 个矩阵</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>outside of blocks, %n matrices</source>
        <translation>
            <numerusform>块之外，%n 个矩阵</numerusform>
        </translation>
    </message>
    <message>
        <source>replaced</source>
        <translation>已替换</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>相符</translation>
    </message>
    <message numerus="yes">
        <source>%n matrices do not fit</source>
        <translation>
            <numerusform>%n 个矩阵不符</numerusform>
        </translation>
    </message>
    <message>
        <source>Frobenius norm of what is added to the weights: alpha / rank × B·A, or the difference of the tensor that replaces them</source>
        <translation>权重增量的弗罗贝尼乌斯范数：alpha / 秩 × B·A，或与取代它的张量之差</translation>
    </message>
    <message>
        <source>Frobenius norm of the base model&apos;s weights</source>
        <translation>基础模型权重的弗罗贝尼乌斯范数</translation>
    </message>
    <message>
        <source>Norm of the change, relative to that of the weights</source>
        <translation>变化的范数与权重范数之比</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>Largest rank</source>
        <translation>最大秩</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>秩</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Change / weights</source>
        <translation>变化 / 权重</translation>
    </message>
    <message>
        <source>In the base</source>
        <translation>在基础模型中</translation>
    </message>
</context>
<context>
    <name>gufo::ui::AdapterPanel</name>
    <message>
        <source>Base model</source>
        <translation>基础模型</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Rows of the table</source>
        <translation>表格的行</translation>
    </message>
    <message>
        <source>What the adapter changes</source>
        <translation>适配器更改的内容</translation>
    </message>
    <message>
        <source>Choose a base model that is not open</source>
        <translation>选择未打开的基础模型</translation>
    </message>
    <message>
        <source>Matrices</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>What it changes</source>
        <translation>更改的内容</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message numerus="yes">
        <source>%n matrices of rank %1.</source>
        <translation>
            <numerusform>%n 个秩为 %1 的矩阵。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors take the place of the base model&apos;s.</source>
        <translation>
            <numerusform>%n 个张量取代基础模型的相应张量。</numerusform>
        </translation>
    </message>
    <message>
        <source>Alpha %1: each product is multiplied by alpha / rank.</source>
        <translation>alpha 为 %1：每个乘积乘以 alpha / 秩。</translation>
    </message>
    <message>
        <source>The file states no alpha, so the products are not scaled.</source>
        <translation>文件没有声明 alpha，因此乘积不缩放。</translation>
    </message>
    <message>
        <source>Made for %1.</source>
        <translation>针对 %1 制作。</translation>
    </message>
    <message>
        <source>Choose the base model</source>
        <translation>选择基础模型</translation>
    </message>
    <message>
        <source>Choose the base model to see which matrices fit and how strongly each changes.</source>
        <translation>选择基础模型，以查看哪些矩阵相符以及各自变化多大。</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>正在测量</translation>
    </message>
    <message numerus="yes">
        <source>All %n matrices fit.</source>
        <translation>
            <numerusform>全部 %n 个矩阵相符。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of %1 matrices do not fit, so the adapter cannot be applied.</source>
        <translation>
            <numerusform>%1 个矩阵中有 %n 个不符，因此无法应用适配器。</numerusform>
        </translation>
    </message>
    <message>
        <source>They change the weights by %1 % (norm of all changes, relative to that of the weights).</source>
        <translation>它们使权重变化 %1%（所有变化的范数与权重范数之比）。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::AddTokensDialog</name>
    <message numerus="yes">
        <source>%1 has %2 elements for %3 tokens. Make the lengths equal first, or added values would belong to the wrong tokens.</source>
        <translation>
            <numerusform>%1 有 %2 个元素，而词元有 %3 个。请先使长度相等，否则添加的值会属于错误的词元。</numerusform>
        </translation>
    </message>
    <message>
        <source>Add tokens</source>
        <translation>添加词元</translation>
    </message>
    <message>
        <source>Texts of the tokens</source>
        <translation>词元的文本</translation>
    </message>
    <message>
        <source>One token per line, as stored in the file; escapes: \n, \xNN, \\</source>
        <translation>每行一个词元，按文件中存储的形式；转义：\n、\xNN、\\</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>&amp;Tokens</source>
        <translation>词元(&amp;T)</translation>
    </message>
    <message>
        <source>T&amp;ype</source>
        <translation>类型(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Score</source>
        <translation>分数(&amp;S)</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add token</source>
        <translation>添加词元</translation>
    </message>
    <message numerus="yes">
        <source>Add %n tokens</source>
        <translation>
            <numerusform>添加 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>The token embedding (token_embd.weight) has %1 rows and the vocabulary would have %2 tokens. Tokens from id %1 on have no row: runtimes refuse the file or give these tokens no meaning, until a tensor with more rows is imported.</source>
        <translation>词元嵌入（token_embd.weight）有 %1 行，而词表将有 %2 个词元。从 ID %1 起的词元没有对应的行：在导入行数更多的张量之前，运行时会拒绝该文件，或这些词元没有意义。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::AddressField</name>
    <message>
        <source>Contacts %1 for the header of %2.</source>
        <translation>连接 %1，获取 %2 的文件头。</translation>
    </message>
    <message>
        <source>Contacts %1 for the list of files of %2.</source>
        <translation>连接 %1，获取 %2 的文件列表。</translation>
    </message>
    <message>
        <source>Contacts %1 for the list of files of %2, and then for the header of the chosen one.</source>
        <translation>连接 %1，获取 %2 的文件列表，然后获取所选文件的文件头。</translation>
    </message>
    <message>
        <source>https://…/model.gguf, or hf.co/owner/repo:Q4_K_M</source>
        <translation>https://…/model.gguf 或 hf.co/owner/repo:Q4_K_M</translation>
    </message>
    <message>
        <source>Address or name of the model</source>
        <translation>模型的地址或名称</translation>
    </message>
    <message>
        <source>Nothing is sent before you press a button.</source>
        <translation>按下按钮之前不会发送任何内容。</translation>
    </message>
    <message>
        <source>This is neither an address that begins with https:// nor a name such as owner/repo, hf.co/owner/repo:Q4_K_M or ollama.com/library/name.</source>
        <translation>这既不是以 https:// 开头的地址，也不是 owner/repo、hf.co/owner/repo:Q4_K_M 或 ollama.com/library/name 之类的名称。</translation>
    </message>
    <message>
        <source>Without encryption, others on the way can read and change what is sent.</source>
        <translation>不加密时，传输途中的第三方可以读取和篡改所发送的内容。</translation>
    </message>
    <message>
        <source>&amp;Contact %1 without encryption, now and later</source>
        <translation>现在和以后都不加密地连接 %1(&amp;C)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::AnswerFormat</name>
    <message>
        <source>thinking in a channel of its own</source>
        <translation>思考在单独的通道中</translation>
    </message>
    <message>
        <source>thinking in %1</source>
        <translation>思考位于 %1 中</translation>
    </message>
    <message>
        <source>no thinking</source>
        <translation>没有思考</translation>
    </message>
    <message>
        <source>calls as JSON</source>
        <translation>调用采用 JSON</translation>
    </message>
    <message>
        <source>calls as a name and JSON</source>
        <translation>调用采用名称加 JSON</translation>
    </message>
    <message>
        <source>calls as XML</source>
        <translation>调用采用 XML</translation>
    </message>
    <message>
        <source>calls as in a program</source>
        <translation>调用采用程序代码的写法</translation>
    </message>
    <message>
        <source>calls in a channel of their own</source>
        <translation>调用在单独的通道中</translation>
    </message>
    <message>
        <source>calls cannot be told from text</source>
        <translation>调用与文本无法区分</translation>
    </message>
    <message>
        <source>no tools</source>
        <translation>没有工具</translation>
    </message>
    <message>
        <source>%1 without a marker</source>
        <translation>%1，没有标记</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1，位于 %2 中</translation>
    </message>
    <message>
        <source>This template&apos;s answers: %1, %2</source>
        <translation>此模板的回答：%1，%2</translation>
    </message>
    <message>
        <source>Before a thought</source>
        <translation>思考之前</translation>
    </message>
    <message>
        <source>After a thought</source>
        <translation>思考之后</translation>
    </message>
    <message>
        <source>Before all calls</source>
        <translation>所有调用之前</translation>
    </message>
    <message>
        <source>Before a call</source>
        <translation>调用之前</translation>
    </message>
    <message>
        <source>Before the name of an argument</source>
        <translation>参数名之前</translation>
    </message>
    <message>
        <source>After a call</source>
        <translation>调用之后</translation>
    </message>
    <message>
        <source>After all calls</source>
        <translation>所有调用之后</translation>
    </message>
    <message>
        <source>After an answer</source>
        <translation>回答之后</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ApplyDialog</name>
    <message>
        <source>Merge LoRA Adapters</source>
        <translation>合并 LoRA 适配器</translation>
    </message>
    <message>
        <source>&amp;Merge…</source>
        <translation>合并(&amp;M)…</translation>
    </message>
    <message>
        <source>base model</source>
        <translation>基础模型</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>添加(&amp;A)…</translation>
    </message>
    <message>
        <source>Add an adapter</source>
        <translation>添加适配器</translation>
    </message>
    <message>
        <source>A LoRA adapter in GGUF</source>
        <translation>GGUF 格式的 LoRA 适配器</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>Other types are made by quantising the result</source>
        <translation>对结果进行量化可得到其他类型</translation>
    </message>
    <message>
        <source>&amp;Base model</source>
        <translation>基础模型(&amp;B)</translation>
    </message>
    <message>
        <source>A&amp;dapters</source>
        <translation>适配器(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Type of changed tensors</source>
        <translation>有更改的张量的类型(&amp;T)</translation>
    </message>
    <message>
        <source>Add LoRA adapters</source>
        <translation>添加 LoRA 适配器</translation>
    </message>
    <message>
        <source>× </source>
        <translation>× </translation>
    </message>
    <message>
        <source>Strength of %1</source>
        <translation>%1 的强度</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Choose the model that the adapter was made for.</source>
        <translation>选择该适配器所针对的模型。</translation>
    </message>
    <message>
        <source>Add the adapters to be merged into it.</source>
        <translation>添加要合并到模型中的适配器。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Change by %1</source>
        <translation>%1 引起的变化</translation>
    </message>
    <message>
        <source>Rank in %1</source>
        <translation>%1 中的秩</translation>
    </message>
    <message>
        <source>NMSE of encoding</source>
        <translation>编码的 NMSE</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors changed; encoding adds an error of NMSE %1.</source>
        <translation>
            <numerusform>%n 个张量已更改；编码增加的误差为 NMSE %1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors change; the file gets %1.</source>
        <translation>
            <numerusform>%n 个张量会更改；文件大小将为 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Write the merged model</source>
        <translation>写出合并后的模型</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Stop merging into %1?</source>
        <translation>停止合并到 %1？</translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation>已写入的内容会被丢弃。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ArchitecturePicture</name>
    <message>
        <source>Types:</source>
        <translation>类型：</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ArrayModel</name>
    <message>
        <source>Was: %1</source>
        <translation>原值：%1</translation>
    </message>
    <message>
        <source>Set %1[%2]</source>
        <translation>设置 %1[%2]</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ArrayPane</name>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>Append</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Paste, import and export elements</source>
        <translation>粘贴、导入和导出元素</translation>
    </message>
    <message>
        <source>Insert an element before the current one (Ins)</source>
        <translation>在当前元素前插入元素 (Ins)</translation>
    </message>
    <message>
        <source>Append an element</source>
        <translation>追加元素</translation>
    </message>
    <message>
        <source>Remove the selected elements (Del)</source>
        <translation>移除所选元素 (Del)</translation>
    </message>
    <message>
        <source>Revert all changes of this key</source>
        <translation>还原此键的所有更改</translation>
    </message>
    <message>
        <source>%1 of %2 changed</source>
        <translation>%2 个中已更改 %1 个</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>&amp;Edit	F2</source>
        <translation>编辑(&amp;E)	F2</translation>
    </message>
    <message>
        <source>&amp;Insert before	Ins</source>
        <translation>在前面插入(&amp;I)	Ins</translation>
    </message>
    <message>
        <source>&amp;Append</source>
        <translation>追加(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Remove	Del</source>
        <translation>移除(&amp;R)	Del</translation>
    </message>
    <message>
        <source>Re&amp;vert these elements</source>
        <translation>还原这些元素(&amp;V)</translation>
    </message>
    <message>
        <source>JSON (*.json);;CSV (*.csv)</source>
        <translation>JSON (*.json);;CSV (*.csv)</translation>
    </message>
    <message>
        <source>&amp;Paste elements</source>
        <translation>粘贴元素(&amp;P)</translation>
    </message>
    <message>
        <source>One element per line, inserted before the current element</source>
        <translation>每行一个元素，插入到当前元素之前</translation>
    </message>
    <message>
        <source>I&amp;mport…</source>
        <translation>导入(&amp;M)…</translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation>导入 %1</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>导出(&amp;X)…</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>导出 %1</translation>
    </message>
    <message>
        <source>Line %1 of the clipboard: %2</source>
        <translation>剪贴板第 %1 行：%2</translation>
    </message>
    <message numerus="yes">
        <source>Paste %n elements into %1</source>
        <translation>
            <numerusform>将 %n 个元素粘贴到 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>正在导入</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>正在导出</translation>
    </message>
    <message>
        <source>Insert %1[%2]</source>
        <translation>插入 %1[%2]</translation>
    </message>
    <message>
        <source>Remove %1[%2]</source>
        <translation>移除 %1[%2]</translation>
    </message>
    <message numerus="yes">
        <source>Remove %n elements of %1</source>
        <translation>
            <numerusform>移除 %1 的 %n 个元素</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove elements of %1</source>
        <translation>移除 %1 的元素</translation>
    </message>
    <message>
        <source>Removing</source>
        <translation>正在移除</translation>
    </message>
    <message>
        <source>Revert elements of %1</source>
        <translation>还原 %1 的元素</translation>
    </message>
    <message>
        <source>Back to the enclosing array</source>
        <translation>返回外层数组</translation>
    </message>
    <message>
        <source>Search values</source>
        <translation>搜索值</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Close the array</source>
        <translation>关闭数组</translation>
    </message>
    <message>
        <source>Go to index</source>
        <translation>转到索引</translation>
    </message>
    <message>
        <source>Only this value</source>
        <translation>仅此值</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Only elements that differ from the file</source>
        <translation>仅与文件不同的元素</translation>
    </message>
    <message>
        <source>Reading the array</source>
        <translation>正在读取数组</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n elements</source>
        <translation>
            <numerusform>%1，%n 个元素</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, shown beside tokens</source>
        <translation>%1，显示在词元旁</translation>
    </message>
    <message>
        <source>All values</source>
        <translation>所有值</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>The array is empty.</source>
        <translation>数组为空。</translation>
    </message>
    <message>
        <source>There is no element %1; the last one is %2.</source>
        <translation>没有元素 %1；最后一个是 %2。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ArrivingModel</name>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
</context>
<context>
    <name>gufo::ui::AttentionView</name>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>What is shown of attention</source>
        <translation>显示注意力的哪些内容</translation>
    </message>
    <message>
        <source>Heads of all blocks</source>
        <translation>所有块的头</translation>
    </message>
    <message>
        <source>Attention of a head by query and key</source>
        <translation>单个头的注意力，按查询和键</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Each head of each block, at the chosen token</source>
        <translation>每个块的每个头，在所选词元处</translation>
    </message>
    <message>
        <source>One head</source>
        <translation>单个头</translation>
    </message>
    <message>
        <source>How strongly each token looks at each earlier one</source>
        <translation>每个词元对之前各词元的关注程度</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>What the colours of the heads show</source>
        <translation>头的颜色所表示的内容</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>Block with the head</source>
        <translation>头所在的块</translation>
    </message>
    <message>
        <source>Head of the block</source>
        <translation>块中的头</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>No map of this head</source>
        <translation>此头没有热力图</translation>
    </message>
    <message>
        <source>Block %1 has no attention: a state of constant size takes its place, which Sizes shows.</source>
        <translation>块 %1 没有注意力：代之以大小固定的状态，见“幅度”。</translation>
    </message>
    <message>
        <source>Block %1, head %2: entropy %3 nats, %4 on the first token</source>
        <translation>块 %1，头 %2：熵 %3 nat，首个词元占 %4</translation>
    </message>
    <message>
        <source>, %1 on its sink</source>
        <translation>，其汇点占 %1</translation>
    </message>
    <message>
        <source>, most on token %1 “%2” (%3)</source>
        <translation>，最关注词元 %1“%2”（%3）</translation>
    </message>
    <message>
        <source>, window of %1 tokens</source>
        <translation>，窗口为 %1 个词元</translation>
    </message>
    <message>
        <source>Entropy (nats)</source>
        <translation>熵 (nat)</translation>
    </message>
    <message>
        <source>Share of the first token</source>
        <translation>首个词元的占比</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1 comes before %2 and cannot see it</source>
        <translation>%1 位于 %2 之前，看不到它</translation>
    </message>
    <message>
        <source>%1 looks at %2 with %3</source>
        <translation>%1 对 %2 的关注为 %3</translation>
    </message>
    <message>
        <source>Block %1: not both models have this head.</source>
        <translation>块 %1：并非两个模型都有此头。</translation>
    </message>
    <message>
        <source>Block %1, head %2, B − A: entropy %3 nats, %4 on the first token</source>
        <translation>块 %1，头 %2，B − A：熵 %3 nat，首个词元 %4</translation>
    </message>
    <message>
        <source>, changed most at token %1 “%2” (%3)</source>
        <translation>，变化最大的是词元 %1“%2”（%3）</translation>
    </message>
    <message>
        <source>Entropy, B − A (nats)</source>
        <translation>熵，B − A（nat）</translation>
    </message>
    <message>
        <source>Share of the first token, B − A</source>
        <translation>首个词元的占比，B − A</translation>
    </message>
    <message>
        <source>Weight, B − A</source>
        <translation>权重，B − A</translation>
    </message>
    <message>
        <source>%1 at %2, B − A: %3</source>
        <translation>%1 对 %2，B − A：%3</translation>
    </message>
</context>
<context>
    <name>gufo::ui::AuditPanel</name>
    <message>
        <source>Threat</source>
        <translation>威胁</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>Audit Again</source>
        <translation>重新审计</translation>
    </message>
    <message>
        <source>Go to Line</source>
        <translation>转到该行</translation>
    </message>
    <message>
        <source>Rendering of the first conversation</source>
        <translation>第一段对话的渲染结果</translation>
    </message>
    <message>
        <source>Rendering of the second conversation</source>
        <translation>第二段对话的渲染结果</translation>
    </message>
    <message>
        <source>Findings of the audit</source>
        <translation>审计发现的问题</translation>
    </message>
    <message>
        <source>Close the audit</source>
        <translation>关闭审计</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>The audit was cancelled.</source>
        <translation>审计已取消。</translation>
    </message>
    <message>
        <source>This template was not audited.</source>
        <translation>此模板未经审计。</translation>
    </message>
    <message>
        <source>Rendering conversations that differ in one thing…</source>
        <translation>正在渲染仅有一处不同的对话…</translation>
    </message>
    <message>
        <source>Not judged: %1</source>
        <translation>未判断：%1</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>The same, if the condition in line %1 has the other outcome</source>
        <translation>同一段对话，但第 %1 行的条件得到相反的结果</translation>
    </message>
    <message>
        <source>No threat found</source>
        <translation>没有发现威胁</translation>
    </message>
    <message numerus="yes">
        <source>%n threats found</source>
        <translation>
            <numerusform>发现 %n 个威胁</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; other remarks: %2.</source>
        <translation>%1；其他提示：%2。</translation>
    </message>
    <message>
        <source>Rendering of a conversation of invented words</source>
        <translation>由虚构词组成的对话的渲染结果</translation>
    </message>
    <message>
        <source>Rendering of the same with one difference</source>
        <translation>同一段对话仅有一处不同时的渲染结果</translation>
    </message>
</context>
<context>
    <name>gufo::ui::BaseField</name>
    <message>
        <source>GGUF File…</source>
        <translation>GGUF 文件…</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Choose the base model: a GGUF file</source>
        <translation>选择基础模型：GGUF 文件</translation>
    </message>
    <message>
        <source>Choose the base model: a folder</source>
        <translation>选择基础模型：文件夹</translation>
    </message>
    <message>
        <source>The base model as GGUF. The shapes of the adapter are compared with its tensors.</source>
        <translation>GGUF 格式的基础模型。适配器的形状会与其张量比较。</translation>
    </message>
    <message>
        <source>A folder with the config.json of the base model. Its weights are not needed.</source>
        <translation>含有基础模型 config.json 的文件夹。不需要其权重。</translation>
    </message>
    <message>
        <source>as the adapter&apos;s folder says</source>
        <translation>按适配器文件夹的说明</translation>
    </message>
    <message>
        <source>Choose the base model</source>
        <translation>选择基础模型</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::BehaviourField</name>
    <message>
        <source>Choose text…</source>
        <translation>选择文本…</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>View of the behaviour</source>
        <translation>行为的视图</translation>
    </message>
    <message>
        <source>A text over which tensors are swapped between the files; its first 512 tokens count</source>
        <translation>在此文本上，于各文件之间替换张量；只使用其前 512 个词元</translation>
    </message>
    <message>
        <source>What is swapped together</source>
        <translation>一起替换的范围</translation>
    </message>
    <message>
        <source>The fewer tensors are swapped together, the more runs it takes</source>
        <translation>一起替换的张量越少，需要运行的次数越多</translation>
    </message>
    <message>
        <source>By block</source>
        <translation>按块</translation>
    </message>
    <message>
        <source>Worst blocks by tensor</source>
        <translation>最差的块，按张量</translation>
    </message>
    <message>
        <source>By role</source>
        <translation>按角色</translation>
    </message>
    <message>
        <source>By tensor</source>
        <translation>按张量</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>分布图</translation>
    </message>
    <message>
        <source>By block and role</source>
        <translation>按块和角色</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>散点图</translation>
    </message>
    <message>
        <source>Which tensors are worse than their weight error says?</source>
        <translation>哪些张量的影响比其权重误差所示更大？</translation>
    </message>
    <message>
        <source>Figures and cost of the measurement</source>
        <translation>测量的数值和代价</translation>
    </message>
    <message>
        <source>Choose a text</source>
        <translation>选择文本</translation>
    </message>
    <message>
        <source>Texts (*.txt *.raw *.md);;All files (*)</source>
        <translation>文本 (*.txt *.raw *.md);;所有文件 (*)</translation>
    </message>
    <message>
        <source>No file is open</source>
        <translation>没有打开文件</translation>
    </message>
    <message>
        <source>The reference cannot be run: %1</source>
        <translation>无法运行参照：%1</translation>
    </message>
    <message>
        <source>%1 is on a server: download it to run it.</source>
        <translation>%1 位于服务器上：下载后才能运行。</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>无文本</translation>
    </message>
    <message>
        <source>Choose a text first</source>
        <translation>请先选择文本</translation>
    </message>
    <message>
        <source>Swap tensors between the files and run the text</source>
        <translation>在各文件之间替换张量，并运行文本</translation>
    </message>
    <message>
        <source>Which tensors change the answers? Each part is swapped into the reference, and restored in the other file, while a text runs. Choose a text.</source>
        <translation>哪些张量会改变回答？运行文本时，将每个部分换入参照，并在另一个文件中恢复。请选择文本。</translation>
    </message>
    <message numerus="yes">
        <source>%n parts differ; measuring them takes as long as running the text %1 times.</source>
        <translation>
            <numerusform>%n 个部分不同；测量它们所需的时间相当于运行文本 %1 次。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 has no figures. %2</source>
        <translation>%1 没有数值。%2</translation>
    </message>
    <message>
        <source>Swapping tensors of %1 (%2 of %3)</source>
        <translation>正在替换 %1 的张量（%2 / %3）</translation>
    </message>
    <message>
        <source>%1: %2 nats; its parts %3 swapped in, %4 restored.</source>
        <translation>%1：%2 nat；各部分之和：换入 %3，恢复 %4。</translation>
    </message>
    <message numerus="yes">
        <source>Mean of %n positions of %1; what the parts do not add up to is interaction.</source>
        <translation>
            <numerusform>%1 的 %n 个位置的平均值；各部分之和与总量之差为交互作用。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::BehaviourScatter</name>
    <message>
        <source>Behaviour against weight error</source>
        <translation>行为与权重误差的关系</translation>
    </message>
    <message>
        <source>Weight error: %1</source>
        <translation>权重误差：%1</translation>
    </message>
    <message>
        <source>Behaviour: %1</source>
        <translation>行为：%1</translation>
    </message>
    <message>
        <source>Nothing was measured</source>
        <translation>没有测量任何内容</translation>
    </message>
    <message numerus="yes">
        <source>%n parts</source>
        <translation>
            <numerusform>%n 个部分</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 times what is usual for such an error</source>
        <translation>为此类误差通常影响的 %1 倍</translation>
    </message>
    <message>
        <source>Nothing was measured yet: choose a text and measure.</source>
        <translation>尚未测量：请选择文本并测量。</translation>
    </message>
    <message>
        <source>usual for such an error; parts far above it do more harm than their weights suggest</source>
        <translation>此类误差的通常影响；远高于此线的部分，实际危害大于其权重误差所示</translation>
    </message>
    <message numerus="yes">
        <source>%n parts without an effect are not shown</source>
        <translation>
            <numerusform>未显示 %n 个没有影响的部分</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::BiasField</name>
    <message>
        <source>there is no token %1</source>
        <translation>没有词元 %1</translation>
    </message>
    <message>
        <source>%1 is not a single token; the Tokenizer page shows its tokens with their ids</source>
        <translation>%1 不是单个词元；“分词器”页面会显示其词元及 ID</translation>
    </message>
    <message>
        <source>Line %1: %2.</source>
        <translation>第 %1 行：%2。</translation>
    </message>
    <message>
        <source>TOKEN = NUMBER is expected, with a number from -1000 to 1000 or -inf</source>
        <translation>应为 TOKEN = NUMBER，数字在 -1000 到 1000 之间，或为 -inf</translation>
    </message>
    <message>
        <source>Logit bias, one token per line</source>
        <translation>logit 偏置，每行一个词元</translation>
    </message>
    <message>
        <source>Added to the logits of tokens before sampling: a positive number makes a token more likely, -inf forbids it. Name a token by its text or its id</source>
        <translation>采样前加到词元的 logits 上：正数使词元更可能出现，-inf 表示禁止。词元以文本或 ID 指定</translation>
    </message>
</context>
<context>
    <name>gufo::ui::BlockLine</name>
    <message>
        <source>The weight and its block</source>
        <translation>权重及其分块</translation>
    </message>
    <message>
        <source>Bytes of the block</source>
        <translation>分块的字节</translation>
    </message>
    <message>
        <source>The block starts at byte %1 of the file.</source>
        <translation>该分块从文件的字节 %1 开始。</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>缩放因子</translation>
    </message>
    <message>
        <source>min</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>q</source>
        <translation>q</translation>
    </message>
    <message>
        <source>%1 (code %2)</source>
        <translation>%1（编码 %2）</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>gufo::ui::BlockMap</name>
    <message>
        <source>Bits per weight by block and role</source>
        <translation>每权重位数，按块和角色</translation>
    </message>
    <message>
        <source>Block %1 has no %2</source>
        <translation>块 %1 没有 %2</translation>
    </message>
    <message numerus="yes">
        <source>and %n more tensors</source>
        <translation>
            <numerusform>另有 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>no block</source>
        <translation>无块</translation>
    </message>
    <message numerus="yes">
        <source>and %n more tensors, listed on the Tensors page</source>
        <translation>
            <numerusform>另有 %n 个张量，列于“张量”页面</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::BlockValues</name>
    <message>
        <source>Number of the block</source>
        <translation>分块编号</translation>
    </message>
    <message>
        <source>Largest error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>The block with the largest error of the tensor</source>
        <translation>该张量中误差最大的分块</translation>
    </message>
    <message>
        <source>Bytes of the block</source>
        <translation>分块的字节</translation>
    </message>
    <message>
        <source>Weights of the block</source>
        <translation>分块的权重</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>row %1, columns %2–%3</source>
        <translation>第 %1 行，第 %2–%3 列</translation>
    </message>
    <message>
        <source>bytes at %1: %2</source>
        <translation>字节，从 %1 起：%2</translation>
    </message>
</context>
<context>
    <name>gufo::ui::BlockValuesModel</name>
    <message>
        <source>Row %1, column %2</source>
        <translation>第 %1 行，第 %2 列</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Row and column of the weight</source>
        <translation>权重的行和列</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>量化级</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放因子</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%2 中的%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::BugReport</name>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>%1, threads: %2</source>
        <translation>%1，线程数：%2</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>prompt %1 tokens/s, generation %2 tokens/s</source>
        <translation>提示词 %1 词元/秒，生成 %2 词元/秒</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>%1, version %2, %3, keys: %4, tensors: %5, files: %6</source>
        <translation>%1，版本 %2，%3，键数：%4，张量数：%5，文件数：%6</translation>
    </message>
    <message>
        <source>little-endian</source>
        <translation>小端</translation>
    </message>
    <message>
        <source>big-endian</source>
        <translation>大端</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>%1 bytes (%2)</source>
        <translation>%1 字节（%2）</translation>
    </message>
    <message>
        <source>SHA-256 of the header</source>
        <translation>文件头的 SHA-256</translation>
    </message>
    <message>
        <source>SHA-256 of the file</source>
        <translation>文件的 SHA-256</translation>
    </message>
    <message>
        <source>Digest of the weights</source>
        <translation>权重的摘要</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>
Rows left out: %1</source>
        <translation>
省略的行数：%1</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>elements: %1</source>
        <translation>元素数：%1</translation>
    </message>
    <message>
        <source>Generation ends at</source>
        <translation>结束生成的词元</translation>
    </message>
    <message>
        <source>of no published family that is known</source>
        <translation>不属于任何已知的公开系列</translation>
    </message>
    <message>
        <source>that of %1</source>
        <translation>与 %1 的模板相同</translation>
    </message>
    <message>
        <source>that of %1, with %2 changed lines</source>
        <translation>为 %1 的模板，但有 %2 行被改动</translation>
    </message>
    <message>
        <source>%1 bytes, SHA-256 %2, %3</source>
        <translation>%1 字节，SHA-256 %2，%3</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>- Findings left out: %1</source>
        <translation>- 省略的问题数：%1</translation>
    </message>
    <message>
        <source>- Checks without findings: %1</source>
        <translation>- 没有问题的检查数：%1</translation>
    </message>
    <message>
        <source>- Not run: %1</source>
        <translation>- 未运行：%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ByteFields</name>
    <message>
        <source>%1: scale of sub-block %2</source>
        <translation>%1：子分块 %2 的缩放因子</translation>
    </message>
    <message>
        <source>%1: minimum of sub-block %2</source>
        <translation>%1：子分块 %2 的最小值</translation>
    </message>
    <message>
        <source>%1: code of weight %2</source>
        <translation>%1：权重 %2 的编码</translation>
    </message>
</context>
<context>
    <name>gufo::ui::BytesPage</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>&amp;Copy bytes</source>
        <translation>复制字节(&amp;C)</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>What is sought</source>
        <translation>查找内容的形式</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Hex</source>
        <translation>十六进制</translation>
    </message>
    <message>
        <source>Find text or bytes</source>
        <translation>查找文本或字节</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Return finds the next occurrence, F3 the one after it</source>
        <translation>回车键查找下一处，F3 查找再下一处</translation>
    </message>
    <message>
        <source>Offset, key or tensor</source>
        <translation>偏移、键或张量</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>4096, 0x1000, or the name of a key or a tensor</source>
        <translation>4096、0x1000，或键、张量的名称</translation>
    </message>
    <message>
        <source>Export selection…</source>
        <translation>导出所选内容…</translation>
    </message>
    <message>
        <source>Export bytes</source>
        <translation>导出字节</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Bytes (*.bin)</source>
        <translation>字节 (*.bin)</translation>
    </message>
    <message>
        <source>Fields that are shown</source>
        <translation>显示的字段</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>The bytes are on %1</source>
        <translation>字节位于 %1</translation>
    </message>
    <message>
        <source>No bytes</source>
        <translation>没有字节</translation>
    </message>
    <message>
        <source>Download the model to look at its bytes.</source>
        <translation>下载模型即可查看其字节。</translation>
    </message>
    <message>
        <source>This file is missing, empty, or not stored as bytes.</source>
        <translation>此文件缺失、为空，或不以字节存储。</translation>
    </message>
    <message>
        <source>Reading the header</source>
        <translation>正在读取文件头</translation>
    </message>
    <message>
        <source>This file is empty.</source>
        <translation>此文件为空。</translation>
    </message>
    <message>
        <source>Bytes %1, %2 of them</source>
        <translation>字节 %1，共 %2 个</translation>
    </message>
    <message>
        <source>Byte %1, 0x%2</source>
        <translation>字节 %1，0x%2</translation>
    </message>
    <message numerus="yes">
        <source>%n bytes from %1 on</source>
        <translation>
            <numerusform>从 %1 起的 %n 个字节</numerusform>
        </translation>
    </message>
    <message>
        <source>Type: %1</source>
        <translation>类型：%1</translation>
    </message>
    <message>
        <source>Value: %1</source>
        <translation>值：%1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Show the key</source>
        <translation>显示键</translation>
    </message>
    <message>
        <source>Show the tensor</source>
        <translation>显示张量</translation>
    </message>
    <message>
        <source>The file ends at byte %1.</source>
        <translation>文件在字节 %1 处结束。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither an offset nor the name of a key or a tensor in this file.</source>
        <translation>“%1”既不是偏移，也不是此文件中键或张量的名称。</translation>
    </message>
    <message>
        <source>Bytes are written in pairs of hexadecimal digits: 47 47 55 46.</source>
        <translation>字节以成对的十六进制数字书写：47 47 55 46。</translation>
    </message>
    <message>
        <source>Not found.</source>
        <translation>未找到。</translation>
    </message>
    <message>
        <source>Found from the start of the file again.</source>
        <translation>已从文件开头重新找到。</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>正在查找</translation>
    </message>
    <message>
        <source>At most %1 can be copied; export the selection instead.</source>
        <translation>最多可复制 %1；请改为导出所选内容。</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>正在写入</translation>
    </message>
</context>
<context>
    <name>gufo::ui::CellDelegate</name>
    <message>
        <source>The model does not take this value now.</source>
        <translation>模型目前不接受此值。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ChangeBar</name>
    <message>
        <source>Review…</source>
        <translation>检查…</translation>
    </message>
    <message>
        <source>Revert all</source>
        <translation>全部还原</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Save the changes (Ctrl+S)</source>
        <translation>保存更改 (Ctrl+S)</translation>
    </message>
    <message>
        <source>Show the differences from the file (Ctrl+Shift+R)</source>
        <translation>显示与文件的差异 (Ctrl+Shift+R)</translation>
    </message>
    <message>
        <source>Revert all changes; Undo restores them</source>
        <translation>还原所有更改；“撤销”可恢复它们</translation>
    </message>
    <message>
        <source>Progress of saving</source>
        <translation>保存进度</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n unsaved changes</source>
        <translation>
            <numerusform>%n 项未保存的更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ChatPane</name>
    <message>
        <source>Send as</source>
        <translation>发送为</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>The result of the tool that the model has called</source>
        <translation>模型所调用工具的结果</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Say something else instead</source>
        <translation>改为发送其他内容</translation>
    </message>
    <message>
        <source>This engine supports text only: pictures cannot be sent.</source>
        <translation>此引擎只支持文本：无法发送图片。</translation>
    </message>
    <message>
        <source>Message; if empty, the last one is answered again</source>
        <translation>消息；如为空，则重新回答上一条</translation>
    </message>
    <message>
        <source>Result of %1</source>
        <translation>%1 的结果</translation>
    </message>
    <message>
        <source>The result of %1, as JSON or text</source>
        <translation>%1 的结果，JSON 或文本</translation>
    </message>
    <message>
        <source>The tokenizer does not work</source>
        <translation>分词器无法工作</translation>
    </message>
    <message>
        <source>Text cannot be tokenized: %1.</source>
        <translation>无法对文本分词：%1。</translation>
    </message>
    <message>
        <source>No completion</source>
        <translation>无法续写</translation>
    </message>
    <message>
        <source>No text</source>
        <translation>没有文本</translation>
    </message>
    <message>
        <source>Ask something</source>
        <translation>提个问题</translation>
    </message>
    <message>
        <source>The answer comes from this file alone.</source>
        <translation>回答只来自此文件。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ChatSettingsPanel</name>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ChooseFiles</name>
    <message>
        <source>Run models side by side</source>
        <translation>并排运行模型</translation>
    </message>
    <message>
        <source>Compare models</source>
        <translation>比较模型</translation>
    </message>
    <message>
        <source>Models to run</source>
        <translation>要运行的模型</translation>
    </message>
    <message>
        <source>Models to compare</source>
        <translation>要比较的模型</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>A model in Hugging Face&apos;s layout. With one GGUF file, it is compared as the conversion would write it.</source>
        <translation>Hugging Face 布局的模型。与一个 GGUF 文件一起时，按转换时写出的形式比较。</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message numerus="yes">
        <source>Two to %n models that generate text with the same tokens.</source>
        <translation>
            <numerusform>两个到 %n 个用相同词元生成文本的模型。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Two to %n files of one model, quantised differently, or any others.</source>
        <translation>
            <numerusform>两个到 %n 个文件：同一模型的不同量化，或任意其他文件。</numerusform>
        </translation>
    </message>
    <message>
        <source>Most bits per weight</source>
        <translation>每权重位数最多者</translation>
    </message>
    <message>
        <source>Choose at least two models.</source>
        <translation>请至少选择两个模型。</translation>
    </message>
    <message numerus="yes">
        <source>At most %n models can be compared.</source>
        <translation>
            <numerusform>最多可比较 %n 个模型。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>Folder of a model</source>
        <translation>模型的文件夹</translation>
    </message>
</context>
<context>
    <name>gufo::ui::CompareTab</name>
    <message>
        <source>The results are those of the version read before; its weights can no longer be read.</source>
        <translation>结果来自先前读取的版本；其权重无法再读取。</translation>
    </message>
    <message>
        <source>The version read before is still shown.</source>
        <translation>仍显示先前读取的版本。</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>重新比较</translation>
    </message>
    <message>
        <source>Add file…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add models to the comparison: at most %1</source>
        <translation>向比较中添加模型：最多 %1 个</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>报告…</translation>
    </message>
    <message>
        <source>Write the comparison as an HTML page</source>
        <translation>将比较写为 HTML 页面</translation>
    </message>
    <message numerus="yes">
        <source>Compare: %n files</source>
        <translation>
            <numerusform>比较：%n 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Compare: %1 (%n files)</source>
        <translation>
            <numerusform>比较：%1（%n 个文件）</numerusform>
        </translation>
    </message>
    <message>
        <source>comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>%1 comparison</source>
        <translation>%1 比较</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Checking the conversion</source>
        <translation>正在检查转换</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>Matching tensors</source>
        <translation>正在匹配张量</translation>
    </message>
    <message>
        <source>Keys and templates are compared. Comparing the weights would fetch %1 from %2.</source>
        <translation>已比较键和模板。比较权重需要从 %2 获取 %1。</translation>
    </message>
    <message>
        <source>Fetch and compare</source>
        <translation>获取并比较</translation>
    </message>
    <message numerus="yes">
        <source>Cancelled: %1 of %n tensors were compared.</source>
        <translation>
            <numerusform>已取消：%n 个张量中已比较 %1 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>This would compare %1 with itself. Add another file.</source>
        <translation>这会将 %1 与其自身比较。请添加另一个文件。</translation>
    </message>
    <message>
        <source>A comparison needs at least two models.</source>
        <translation>比较至少需要两个模型。</translation>
    </message>
    <message>
        <source>A comparison needs two models that can be read</source>
        <translation>比较需要两个可读取的模型</translation>
    </message>
    <message>
        <source>The comparison failed</source>
        <translation>比较失败</translation>
    </message>
    <message numerus="yes">
        <source>%n files, %1</source>
        <translation>
            <numerusform>%n 个文件，%1</numerusform>
        </translation>
    </message>
    <message>
        <source>All shapes equal</source>
        <translation>所有形状相同</translation>
    </message>
    <message>
        <source>%1 with another shape</source>
        <translation>%1 个形状不同</translation>
    </message>
    <message>
        <source>%1 without counterpart</source>
        <translation>%1 个没有对应的张量</translation>
    </message>
    <message>
        <source>Metadata equal</source>
        <translation>元数据相同</translation>
    </message>
    <message numerus="yes">
        <source>%n metadata differences</source>
        <translation>
            <numerusform>%n 处元数据差异</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Opening %n files</source>
        <translation>
            <numerusform>正在打开 %n 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Comparing %n tensors</source>
        <translation>
            <numerusform>正在比较 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message numerus="yes">
        <source>Compared %n tensors of %1 files in %2</source>
        <translation>
            <numerusform>已比较 %1 个文件的 %n 个张量，用时 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation>未比较</translation>
    </message>
    <message>
        <source>Files of this comparison are not on this computer</source>
        <translation>此比较的文件不在本机上</translation>
    </message>
    <message>
        <source>They are on %1. Nothing has been sent there for this tab yet.</source>
        <translation>它们位于 %1。此标签页尚未向其发送任何内容。</translation>
    </message>
    <message>
        <source>Not contacted</source>
        <translation>未连接</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ComparisonExport</name>
    <message>
        <source>Export comparison as a report</source>
        <translation>将比较导出为报告</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML 页面 (*.html)</translation>
    </message>
    <message>
        <source>Export comparison as JSON</source>
        <translation>将比较导出为 JSON</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export comparison as CSV</source>
        <translation>将比较导出为 CSV</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ComparisonFrame</name>
    <message>
        <source>Reference: %1</source>
        <translation>参照：%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Composer</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>停止回答 (Esc)</translation>
    </message>
    <message>
        <source>Continue the text (Ctrl+Enter)</source>
        <translation>续写文本 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Send (Enter; Shift+Enter starts a new line)</source>
        <translation>发送（Enter；Shift+Enter 换行）</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ContextField</name>
    <message>
        <source>Context, tokens</source>
        <translation>上下文，词元</translation>
    </message>
    <message>
        <source>The length of text that the model can take into account: prompt and answer together</source>
        <translation>模型能够考虑的文本长度：提示词与回答合计</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Conversation</name>
    <message>
        <source>Answer in one sentence.</source>
        <translation>用一句话回答。</translation>
    </message>
    <message>
        <source>What is an owl?</source>
        <translation>什么是猫头鹰？</translation>
    </message>
    <message>
        <source>A bird of the night.</source>
        <translation>一种夜间活动的鸟。</translation>
    </message>
    <message>
        <source>Will it freeze in Trento tonight?</source>
        <translation>今晚特伦托会结冰吗？</translation>
    </message>
    <message>
        <source>4</source>
        <translation>4</translation>
    </message>
    <message>
        <source>Two and two make four.</source>
        <translation>二加二等于四。</translation>
    </message>
    <message>
        <source>What is in this picture?</source>
        <translation>这张图片里有什么？</translation>
    </message>
    <message>
        <source>Several messages</source>
        <translation>多条消息</translation>
    </message>
    <message>
        <source>Which one is the largest?</source>
        <translation>哪一个最大？</translation>
    </message>
    <message>
        <source>One question</source>
        <translation>一个问题</translation>
    </message>
    <message>
        <source>System message</source>
        <translation>系统消息</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tool call</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Tool call with empty text</source>
        <translation>文本为空的工具调用</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>2 + 2?</source>
        <translation>2 + 2？</translation>
    </message>
    <message>
        <source>And 3 + 3?</source>
        <translation>那 3 + 3 呢？</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Finished conversation</source>
        <translation>已完成的对话</translation>
    </message>
    <message>
        <source>No messages</source>
        <translation>没有消息</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConversationFiles</name>
    <message>
        <source>Export the conversation</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>Import a conversation</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>JSON (*.json);;All files (*)</source>
        <translation>JSON (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Stop the answer before you import a conversation.</source>
        <translation>导入对话之前请先停止回答。</translation>
    </message>
    <message>
        <source>%1 cannot be imported: %2.</source>
        <translation>无法导入 %1：%2。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConversationFinder</name>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>上一处匹配 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>下一处匹配 (Enter)</translation>
    </message>
    <message>
        <source>In all conversations</source>
        <translation>在所有对话中</translation>
    </message>
    <message>
        <source>Find in the conversation</source>
        <translation>在对话中查找</translation>
    </message>
    <message>
        <source>Also list the other conversations with this model in which the text occurs</source>
        <translation>同时列出与此模型的其他对话中含有该文本的对话</translation>
    </message>
    <message>
        <source>Conversations in which the text occurs</source>
        <translation>含有该文本的对话</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message numerus="yes">
        <source>%1 – %n matches: %2</source>
        <translation>
            <numerusform>%1 – %n 处匹配：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>Open the conversation</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>No saved conversation contains this text.</source>
        <translation>没有已保存的对话含有此文本。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConversationPanel</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Generation prompt</source>
        <translation>生成提示</translation>
    </message>
    <message>
        <source>Tools or variables</source>
        <translation>工具或变量</translation>
    </message>
    <message>
        <source>Custom conversation</source>
        <translation>自定义对话</translation>
    </message>
    <message>
        <source>Example conversation</source>
        <translation>示例对话</translation>
    </message>
    <message>
        <source>Start from an example</source>
        <translation>从示例开始</translation>
    </message>
    <message>
        <source>Add a message at the end</source>
        <translation>在末尾添加消息</translation>
    </message>
    <message>
        <source>add_generation_prompt: begin the assistant&apos;s answer</source>
        <translation>add_generation_prompt：写出助手回答的开头</translation>
    </message>
    <message>
        <source>Fold or unfold the conversation</source>
        <translation>折叠或展开对话</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Value (JSON)</source>
        <translation>值 (JSON)</translation>
    </message>
    <message>
        <source>Additional template variables</source>
        <translation>附加的模板变量</translation>
    </message>
    <message>
        <source>Such as enable_thinking = false, or date_string = &quot;1 May 2026&quot;</source>
        <translation>例如 enable_thinking = false，或 date_string = &quot;1 May 2026&quot;</translation>
    </message>
    <message>
        <source>Add a variable</source>
        <translation>添加变量</translation>
    </message>
    <message>
        <source>Remove the variable</source>
        <translation>移除变量</translation>
    </message>
    <message>
        <source>%1. Strings need quotes.</source>
        <translation>%1。字符串需要引号。</translation>
    </message>
    <message>
        <source>Variables (%1)</source>
        <translation>变量（%1）</translation>
    </message>
    <message>
        <source>Valid JSON</source>
        <translation>有效的 JSON</translation>
    </message>
    <message>
        <source>Not valid JSON</source>
        <translation>不是有效的 JSON</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConversationShelf</name>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>The conversations with this model</source>
        <translation>与此模型的对话</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>The conversation cannot be read: %1.</source>
        <translation>无法读取对话：%1。</translation>
    </message>
    <message>
        <source>The conversation cannot be saved: %1.</source>
        <translation>无法保存对话：%1。</translation>
    </message>
    <message>
        <source>Rename the conversation</source>
        <translation>重命名对话</translation>
    </message>
    <message>
        <source>Title:</source>
        <translation>标题：</translation>
    </message>
    <message>
        <source>The conversation cannot be deleted: %1.</source>
        <translation>无法删除对话：%1。</translation>
    </message>
    <message>
        <source>The conversation “%1” was deleted.</source>
        <translation>已删除对话“%1”。</translation>
    </message>
    <message>
        <source>A part of the conversation “%1” was deleted.</source>
        <translation>已删除对话“%1”的一部分。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Stop the answer before you undo the deletion.</source>
        <translation>撤销删除之前请先停止回答。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ConvertDialog</name>
    <message>
        <source>&amp;Vocabulary and keys only</source>
        <translation>仅词表和键(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Base model</source>
        <translation>基础模型(&amp;B)</translation>
    </message>
    <message>
        <source>What the table shows</source>
        <translation>表格显示的内容</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Tensors of the result</source>
        <translation>结果的张量</translation>
    </message>
    <message>
        <source>Keys of the result</source>
        <translation>结果的键</translation>
    </message>
    <message>
        <source>&amp;Convert…</source>
        <translation>转换(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Open It</source>
        <translation>打开结果(&amp;O)</translation>
    </message>
    <message>
        <source>Com&amp;pare with the Original</source>
        <translation>与原始模型比较(&amp;P)</translation>
    </message>
    <message>
        <source>Convert %1 to GGUF</source>
        <translation>将 %1 转换为 GGUF</translation>
    </message>
    <message>
        <source>Cancelling …</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Cancelled. There is no plan.</source>
        <translation>已取消。没有方案。</translation>
    </message>
    <message>
        <source>Type of the weights</source>
        <translation>权重的类型</translation>
    </message>
    <message>
        <source>as the source says</source>
        <translation>按来源的说明</translation>
    </message>
    <message>
        <source>Name of the model</source>
        <translation>模型的名称</translation>
    </message>
    <message>
        <source>Writes no tensors; such a file is enough to tokenise</source>
        <translation>不写入张量；这样的文件足以用于分词</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>类型(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Importance matrix</source>
        <translation>重要性矩阵(&amp;I)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>As in the source</source>
        <translation>与来源相同</translation>
    </message>
    <message>
        <source>Files from before GGUF keep their types. Quantising the result changes them.</source>
        <translation>早于 GGUF 的文件保持其类型。对结果进行量化可以更改类型。</translation>
    </message>
    <message>
        <source>Reading the source</source>
        <translation>正在读取来源</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>正在制定方案</translation>
    </message>
    <message>
        <source>%1, %2 without tensors</source>
        <translation>%1，%2，不含张量</translation>
    </message>
    <message>
        <source>%1, %2 with %3 bits per weight; the source has %4 with %5</source>
        <translation>%1，%2，每权重 %3 位；来源为 %4，每权重 %5 位</translation>
    </message>
    <message numerus="yes">
        <source>%n more findings.</source>
        <translation>
            <numerusform>另有 %n 个问题。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors get another type, because their rows are not whole blocks of the intended type.</source>
        <translation>
            <numerusform>有 %n 个张量采用其他类型，因为它们的行不是预定类型的整数个分块。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The scales of %n tensors are rounded to f16, which changes a weight by %1 at most.</source>
        <translation>
            <numerusform>%n 个张量的缩放因子舍入为 f16，权重最多因此变化 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Which model does this adapter belong to?</source>
        <translation>此适配器属于哪个模型？</translation>
    </message>
    <message>
        <source>This file cannot be converted</source>
        <translation>无法转换此文件</translation>
    </message>
    <message>
        <source>This folder cannot be converted</source>
        <translation>无法转换此文件夹</translation>
    </message>
    <message>
        <source>Choose its base model above.</source>
        <translation>请在上方选择其基础模型。</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation>
            <numerusform>%n 个键</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Write the converted model</source>
        <translation>写出转换后的模型</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>. Nothing was written. </source>
        <translation>。没有写入任何内容。</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was written.</source>
        <translation>已取消。没有写入任何内容。</translation>
    </message>
    <message>
        <source>Stop converting to %1?</source>
        <translation>停止转换为 %1？</translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation>已写入的内容会被丢弃。</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>reshape to %L</source>
        <translation>改变形状为 %L</translation>
    </message>
    <message>
        <source>interleave the halves of each of %2 heads</source>
        <translation>将 %2 个头各自的两半交错排列</translation>
    </message>
    <message>
        <source>separate the interleaved halves of each of %2 heads</source>
        <translation>将 %2 个头各自交错的两半分开</translation>
    </message>
    <message>
        <source>add %1</source>
        <translation>加 %1</translation>
    </message>
    <message>
        <source>multiply by %F</source>
        <translation>乘以 %F</translation>
    </message>
    <message>
        <source>negative exponential, −exp(x)</source>
        <translation>取指数的负值，−exp(x)</translation>
    </message>
    <message>
        <source>logarithm, ln(−x)</source>
        <translation>对数，ln(−x)</translation>
    </message>
    <message>
        <source>reciprocal, 1/x</source>
        <translation>倒数，1/x</translation>
    </message>
    <message>
        <source>round to −s, 0 or s</source>
        <translation>舍入为 −s、0 或 s</translation>
    </message>
    <message>
        <source>transpose</source>
        <translation>转置</translation>
    </message>
    <message>
        <source>take %3 rows from row %2 on</source>
        <translation>从第 %2 行起取 %3 行</translation>
    </message>
    <message>
        <source>take one of every %3 rows, from row %2 on</source>
        <translation>从第 %2 行起，每 %3 行取一行</translation>
    </message>
    <message>
        <source>take rows %R</source>
        <translation>取行 %R</translation>
    </message>
    <message>
        <source>gather the parts of %3 groups of %4 rows</source>
        <translation>将 %3 个组（每组 %4 行）的各部分集中</translation>
    </message>
    <message>
        <source>scatter the parts back to %3 groups of %4 rows</source>
        <translation>将各部分分散回 %3 个组（每组 %4 行）</translation>
    </message>
    <message>
        <source>take %5 rows from row %4 on of each of %2 groups</source>
        <translation>在 %2 个组中各从第 %4 行起取 %5 行</translation>
    </message>
    <message>
        <source>stack %1 tensors</source>
        <translation>堆叠 %1 个张量</translation>
    </message>
    <message>
        <source>take tensor %1 of the %2 in it</source>
        <translation>取其中 %2 个张量的第 %1 个</translation>
    </message>
    <message>
        <source>compute from the configuration</source>
        <translation>由配置计算</translation>
    </message>
    <message>
        <source>repack MXFP4 without loss</source>
        <translation>无损重新打包 MXFP4</translation>
    </message>
    <message>
        <source>repack NVFP4 without loss</source>
        <translation>无损重新打包 NVFP4</translation>
    </message>
    <message>
        <source>repack blocks from before GGUF</source>
        <translation>重新打包早于 GGUF 的分块</translation>
    </message>
    <message>
        <source>decode 8-bit floats with scales of blocks of %1 × %2</source>
        <translation>解码带 %1 × %2 分块缩放因子的 8 位浮点数</translation>
    </message>
    <message>
        <source>decode GPTQ of %1 bits</source>
        <translation>解码 %1 位 GPTQ</translation>
    </message>
    <message>
        <source>decode AWQ of %1 bits</source>
        <translation>解码 %1 位 AWQ</translation>
    </message>
    <message>
        <source>decode packed codes of %1 bits in groups of %2</source>
        <translation>解码打包的 %1 位编码，每组 %2 个</translation>
    </message>
    <message>
        <source>decode affine codes of %1 bits in groups of %2</source>
        <translation>解码仿射的 %1 位编码，每组 %2 个</translation>
    </message>
    <message>
        <source>decode 8-bit integers with a scale for each row</source>
        <translation>解码每行带一个缩放因子的 8 位整数</translation>
    </message>
    <message>
        <source>decode 4-bit codes with a table of levels</source>
        <translation>解码带量化级表的 4 位编码</translation>
    </message>
    <message>
        <source>decode ternary weights with one scale</source>
        <translation>解码带一个缩放因子的三值权重</translation>
    </message>
    <message>
        <source>a scale for activations</source>
        <translation>激活的缩放因子</translation>
    </message>
    <message>
        <source>a detail of the encoding</source>
        <translation>编码的细节</translation>
    </message>
    <message>
        <source>runtimes compute it</source>
        <translation>由运行时计算</translation>
    </message>
    <message>
        <source>a mask that runtimes compute</source>
        <translation>由运行时计算的掩码</translation>
    </message>
    <message>
        <source>belongs to images or sound</source>
        <translation>属于图像或声音</translation>
    </message>
    <message>
        <source>a dense layer that runtimes cannot apply</source>
        <translation>运行时无法应用的全连接层</translation>
    </message>
    <message>
        <source>layers for multi-token prediction</source>
        <translation>多词元预测的层</translation>
    </message>
    <message>
        <source>needed for training only</source>
        <translation>仅训练时需要</translation>
    </message>
    <message>
        <source>a pooling that this model does not use</source>
        <translation>此模型不使用的池化</translation>
    </message>
    <message>
        <source>the model does not use it</source>
        <translation>模型不使用它</translation>
    </message>
    <message>
        <source>it is zero, and runtimes have no place for it</source>
        <translation>它为零，且运行时没有它的位置</translation>
    </message>
    <message>
        <source>the same as the token embedding</source>
        <translation>与词元嵌入相同</translation>
    </message>
</context>
<context>
    <name>gufo::ui::CopyReport</name>
    <message numerus="yes">
        <source>Copied a report of %n lines</source>
        <translation>
            <numerusform>已复制 %n 行的报告</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::CorrelationLine</name>
    <message>
        <source>Correlate with</source>
        <translation>计算相关</translation>
    </message>
    <message>
        <source>Pearson&apos;s correlation of all pairs of weights with those of another tensor of this shape; tensors that are selected in the list come first</source>
        <translation>与同形状的另一张量逐个权重的皮尔逊相关系数；列表中选中的张量排在最前</translation>
    </message>
    <message>
        <source>Correlation</source>
        <translation>相关性</translation>
    </message>
    <message>
        <source>Select another tensor of this shape in the list</source>
        <translation>在列表中选择另一个同形状的张量</translation>
    </message>
    <message>
        <source>%1: r = %2 (independent weights: ± %3)</source>
        <translation>%1：r = %2（权重相互独立时为 ± %3）</translation>
    </message>
    <message>
        <source>%1: no correlation, because all weights of a tensor are equal</source>
        <translation>%1：无相关系数，因为其中一个张量的权重全部相等</translation>
    </message>
    <message>
        <source>Correlating</source>
        <translation>正在计算相关性</translation>
    </message>
</context>
<context>
    <name>gufo::ui::CountBox</name>
    <message>
        <source>%1 is not a whole number from %2 to %3.</source>
        <translation>%1 不是 %2 到 %3 之间的整数。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DensityPlot</name>
    <message>
        <source>Weights of a file against those of the reference</source>
        <translation>文件的权重与参照的权重对照</translation>
    </message>
    <message>
        <source>weight in %1</source>
        <translation>%1 中的权重</translation>
    </message>
    <message>
        <source>weights per cell</source>
        <translation>每格权重数</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 to %3
%4: %5 to %6
%7 weights</source>
        <translation>
            <numerusform>%1：%2 到 %3
%4：%5 到 %6
%7 个权重</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::DiagramLayout</name>
    <message numerus="yes">
        <source>%n further blocks are not drawn</source>
        <translation>
            <numerusform>另有 %n 个块未画出</numerusform>
        </translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>Blocks %1 to %2</source>
        <translation>块 %1 到 %2</translation>
    </message>
    <message>
        <source>Block %1: %2</source>
        <translation>块 %1：%2</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>, block %1</source>
        <translation>，块 %1</translation>
    </message>
    <message>
        <source>Both branches read the same stream</source>
        <translation>两个分支读取同一残差流</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DiagramPage</name>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>What the colours of parts and blocks show</source>
        <translation>部件和块的颜色所表示的内容</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Fit the width</source>
        <translation>适应宽度</translation>
    </message>
    <message>
        <source>diagram</source>
        <translation>结构图</translation>
    </message>
    <message>
        <source>&amp;Description as text…</source>
        <translation>将描述存为文本(&amp;D)…</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>Tensors of the part</source>
        <translation>该部件的张量</translation>
    </message>
    <message>
        <source>Return or a double click shows the tensor on the page Tensors</source>
        <translation>回车键或双击可在“张量”页面显示该张量</translation>
    </message>
    <message>
        <source>Diagram</source>
        <translation>结构图</translation>
    </message>
    <message>
        <source>No tensors</source>
        <translation>没有张量</translation>
    </message>
    <message>
        <source>This file has no tensors, so there is nothing to draw.</source>
        <translation>此文件没有张量，因此没有可画的内容。</translation>
    </message>
    <message>
        <source>Blocks and roles are drawn by the names of the tensors.</source>
        <translation>块和角色按张量的名称画出。</translation>
    </message>
    <message>
        <source>The keys cannot be used, so that only the tensors are drawn.</source>
        <translation>键无法使用，因此只画出张量。</translation>
    </message>
    <message>
        <source>Keys and tensors contradict each other:</source>
        <translation>键与张量互相矛盾：</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>%1 % covered by %2</source>
        <translation>%2 覆盖 %1 %</translation>
    </message>
    <message>
        <source>No difference from %1</source>
        <translation>与 %1 无差异</translation>
    </message>
    <message>
        <source>SQNR %1 against %2</source>
        <translation>相对 %2 的 SQNR 为 %1</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Importance</source>
        <translation>重要性</translation>
    </message>
    <message>
        <source>How far the weights are from those of another model</source>
        <translation>权重与另一个模型相差多少</translation>
    </message>
    <message>
        <source>For which matrices an importance matrix has values</source>
        <translation>重要性矩阵包含哪些矩阵的值</translation>
    </message>
    <message>
        <source>SQNR against %1</source>
        <translation>相对 %1 的 SQNR</translation>
    </message>
    <message>
        <source>Covered by %1</source>
        <translation>由 %1 覆盖</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DiagramPartner</name>
    <message>
        <source>Compare with…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Importance matrix…</source>
        <translation>重要性矩阵…</translation>
    </message>
    <message>
        <source>The model whose weights are compared with those of this one</source>
        <translation>与本模型比较权重的模型</translation>
    </message>
    <message>
        <source>The importance matrix whose coverage of this model is shown</source>
        <translation>显示其对本模型覆盖情况的重要性矩阵</translation>
    </message>
    <message>
        <source>&amp;File…</source>
        <translation>文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Choose an importance matrix</source>
        <translation>选择重要性矩阵</translation>
    </message>
    <message>
        <source>Importance matrices (*.gguf *.dat *.imatrix)</source>
        <translation>重要性矩阵 (*.gguf *.dat *.imatrix)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Comparing weights</source>
        <translation>正在比较权重</translation>
    </message>
    <message>
        <source>Reading the importance matrix</source>
        <translation>正在读取重要性矩阵</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DiagramView</name>
    <message>
        <source>Diagram of the architecture</source>
        <translation>架构的结构图</translation>
    </message>
    <message numerus="yes">
        <source>and %n more tensors</source>
        <translation>
            <numerusform>另有 %n 个张量</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::DiffView</name>
    <message numerus="yes">
        <source>… %n lines the same</source>
        <translation>
            <numerusform>… %n 行相同</numerusform>
        </translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>   … and more, not shown</source>
        <translation>   … 更多内容未显示</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DivergenceField</name>
    <message>
        <source>Choose text…</source>
        <translation>选择文本…</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>A text on which all files are run: the KL divergence of their predictions from those of the reference also shows what an importance matrix gains</source>
        <translation>在此文本上运行所有文件：其预测与参照的 KL 散度还能显示重要性矩阵带来的收益</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>Choose a text</source>
        <translation>选择文本</translation>
    </message>
    <message>
        <source>Texts (*.txt *.raw *.md);;All files (*)</source>
        <translation>文本 (*.txt *.raw *.md);;所有文件 (*)</translation>
    </message>
    <message>
        <source>No file is open</source>
        <translation>没有打开文件</translation>
    </message>
    <message>
        <source>The reference cannot be run: %1</source>
        <translation>无法运行参照：%1</translation>
    </message>
    <message>
        <source>Choose a text first</source>
        <translation>请先选择文本</translation>
    </message>
    <message>
        <source>%1 is on a server: download it to run it.</source>
        <translation>%1 位于服务器上：下载后才能运行。</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>无文本</translation>
    </message>
    <message>
        <source>Run all files on the text</source>
        <translation>在该文本上运行所有文件</translation>
    </message>
    <message>
        <source>Measured on %1</source>
        <translation>在 %1 上测量</translation>
    </message>
    <message>
        <source>%1 has no figure. %2</source>
        <translation>%1 没有数值。%2</translation>
    </message>
    <message>
        <source>Running %1 (%2 of %3)</source>
        <translation>正在运行 %1（%2 / %3）</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DivergenceMeasure</name>
    <message>
        <source>%1. The KL divergence needs models of the same vocabulary.</source>
        <translation>%1。KL 散度需要词表相同的模型。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DownloadDialog</name>
    <message>
        <source>&amp;Choose…</source>
        <translation>选择(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Download</source>
        <translation>下载(&amp;D)</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Into the &amp;folder</source>
        <translation>下载到文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Contacting %1…</source>
        <translation>正在连接 %1…</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Asking for the files</source>
        <translation>正在查询文件</translation>
    </message>
    <message>
        <source>size not known yet</source>
        <translation>大小尚未知</translation>
    </message>
    <message numerus="yes">
        <source>%n files, %1, from %2</source>
        <translation>
            <numerusform>%n 个文件，%1，来自 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>恢复下载(&amp;R)</translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation>没有这样的文件夹。</translation>
    </message>
    <message>
        <source>There is too little room: %1 are needed, and %2 are free.</source>
        <translation>空间不足：需要 %1，可用 %2。</translation>
    </message>
    <message>
        <source>A file of this name is there already. It is checked, and only fetched again if you agree.</source>
        <translation>已有同名文件。会检查该文件，只有在同意时才重新获取。</translation>
    </message>
    <message>
        <source>%1 are free.</source>
        <translation>可用 %1。</translation>
    </message>
    <message>
        <source>%1 were downloaded earlier.</source>
        <translation>先前已下载 %1。</translation>
    </message>
    <message>
        <source>Download into</source>
        <translation>下载到</translation>
    </message>
    <message>
        <source>Complete. The SHA-256 is the one that the hub states.</source>
        <translation>完成。SHA-256 与 Hub 声明的一致。</translation>
    </message>
    <message>
        <source>Complete. The server states no SHA-256 by which it could be checked.</source>
        <translation>完成。服务器没有声明可供检查的 SHA-256。</translation>
    </message>
    <message>
        <source>Cancelled. What has arrived is kept, so that it can be resumed.</source>
        <translation>已取消。已下载的内容会保留，以便恢复下载。</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>The download is not complete.</source>
        <translation>下载尚未完成。</translation>
    </message>
    <message>
        <source>If you stop it, what has arrived is kept, so that it can be resumed later. In the background, it goes on without this dialog, and is shown under File, Downloads.</source>
        <translation>如果停止，已下载的内容会保留，以后可恢复下载。转到后台后，下载会继续进行而不占用此对话框，可在“文件”›“下载列表”中查看。</translation>
    </message>
    <message>
        <source>&amp;Stop it</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Continue in the &amp;Background</source>
        <translation>在后台继续(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>继续(&amp;C)</translation>
    </message>
    <message>
        <source>%1 already exists with other content. It is kept unless you replace it.</source>
        <translation>%1 已存在，内容不同。除非替换，否则会保留。</translation>
    </message>
    <message>
        <source>&amp;Replace it</source>
        <translation>替换(&amp;R)</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载</translation>
    </message>
    <message numerus="yes">
        <source>%n download(s) are not complete.</source>
        <translation>
            <numerusform>有 %n 个下载尚未完成。</numerusform>
        </translation>
    </message>
    <message>
        <source>Closing the window stops them. What has arrived is kept, so that they can be resumed later, under File, Downloads.</source>
        <translation>关闭窗口会停止下载。已下载的内容会保留，以后可在“文件”›“下载列表”中恢复下载。</translation>
    </message>
    <message>
        <source>&amp;Stop and Close</source>
        <translation>停止并关闭(&amp;S)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Downloads</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>begins</source>
        <translation>正在开始</translation>
    </message>
    <message>
        <source>complete, %1</source>
        <translation>完成，%1</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>stopped at %1</source>
        <translation>停止于 %1</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>开始时间</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DownloadsDialog</name>
    <message>
        <source>Downloads</source>
        <translation>下载列表</translation>
    </message>
    <message>
        <source>Open &amp;Folder</source>
        <translation>打开文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Remove from List</source>
        <translation>从列表中移除(&amp;R)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>S&amp;how</source>
        <translation>显示(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Continue…</source>
        <translation>继续(&amp;C)…</translation>
    </message>
    <message>
        <source>The files are kept</source>
        <translation>文件会保留</translation>
    </message>
    <message>
        <source>No downloads</source>
        <translation>没有下载</translation>
    </message>
    <message>
        <source>Models that you download from a server appear here, also after a restart.</source>
        <translation>从服务器下载的模型会显示在此处，重新启动后也会保留。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DraftField</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>from earlier text</source>
        <translation>来自先前文本</translation>
    </message>
    <message>
        <source>by another model…</source>
        <translation>由另一个模型…</translation>
    </message>
    <message>
        <source>by the model&apos;s MTP block</source>
        <translation>由模型的 MTP 块</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Several tokens are drafted and then verified together (speculative decoding). The text stays the same; it is generated faster where drafts are accepted: in code, lists and quotations, or with a smaller model of the same vocabulary.</source>
        <translation>先由草稿给出多个词元，再一起验证（推测解码）。文本不变；在草稿被接受之处生成更快：例如代码、列表和引文，或使用词表相同的较小模型时。</translation>
    </message>
    <message>
        <source>Available when the model is loaded</source>
        <translation>加载模型后可用</translation>
    </message>
    <message>
        <source>A block of the model that was trained for it predicts further tokens (multi-token prediction)</source>
        <translation>由模型中专门训练的块预测后续词元（多词元预测）</translation>
    </message>
    <message>
        <source>Open a smaller model of the same vocabulary</source>
        <translation>打开词表相同的较小模型</translation>
    </message>
    <message>
        <source>Loading %1 …</source>
        <translation>正在加载 %1…</translation>
    </message>
    <message>
        <source>%1 cannot draft: %2.</source>
        <translation>%1 无法生成草稿：%2。</translation>
    </message>
    <message>
        <source>%1 cannot draft, because its vocabulary is another one: %2.</source>
        <translation>%1 无法生成草稿，因为其词表不同：%2。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DraftKeeper</name>
    <message>
        <source>Restore unsaved changes</source>
        <translation>恢复未保存的更改</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DrillDown</name>
    <message>
        <source>View of the tensor</source>
        <translation>张量的视图</translation>
    </message>
    <message>
        <source>Histograms</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>散点图</translation>
    </message>
    <message>
        <source>Weights against those of the reference</source>
        <translation>权重与参照的权重对照</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Errors by row and column</source>
        <translation>按行和列的误差</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>Single weights with their codes and scales</source>
        <translation>单个权重及其编码和缩放因子</translation>
    </message>
    <message>
        <source>File compared with the reference</source>
        <translation>与参照比较的文件</translation>
    </message>
    <message>
        <source>Open in Tensors</source>
        <translation>在“张量”中打开</translation>
    </message>
    <message>
        <source>Open the tensor in its model&apos;s tab</source>
        <translation>在其模型的标签页中打开该张量</translation>
    </message>
    <message>
        <source>Figures as &amp;CSV…</source>
        <translation>将数值存为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>weights per bin</source>
        <translation>每区间权重数</translation>
    </message>
    <message>
        <source>error: weight of the file − weight of %1</source>
        <translation>误差：文件的权重 − %1 的权重</translation>
    </message>
    <message>
        <source>equal weights</source>
        <translation>权重相等</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>error: %1 − %2</source>
        <translation>误差：%1 − %2</translation>
    </message>
    <message>
        <source>error: %1 − %2, %3</source>
        <translation>误差：%1 − %2，%3</translation>
    </message>
    <message>
        <source>Choose a tensor in the map or the list.</source>
        <translation>在分布图或列表中选择张量。</translation>
    </message>
    <message>
        <source>Nothing to compare it with</source>
        <translation>没有可与之比较的内容</translation>
    </message>
    <message>
        <source>Only the reference has a tensor of this name and shape.</source>
        <translation>只有参照含有此名称和形状的张量。</translation>
    </message>
    <message>
        <source>Not fetched</source>
        <translation>未获取</translation>
    </message>
    <message>
        <source>The weights of this tensor are on a server: %1. They can be looked at one by one in the tab of a file.</source>
        <translation>此张量的权重位于服务器上：%1。可在文件的标签页中逐个查看。</translation>
    </message>
    <message>
        <source>RMS %1</source>
        <translation>RMS %1</translation>
    </message>
    <message>
        <source>named %1 in %2</source>
        <translation>在 %2 中名为 %1</translation>
    </message>
    <message>
        <source>This tensor cannot be shown</source>
        <translation>无法显示此张量</translation>
    </message>
</context>
<context>
    <name>gufo::ui::DropChoice</name>
    <message>
        <source>Drop to open, or: %1</source>
        <translation>放下即可打开，或：%1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>gufo::ui::EmbedPage</name>
    <message>
        <source>Vectors as NumPy array…</source>
        <translation>将向量存为 NumPy 数组…</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Vectors as CSV…</source>
        <translation>将向量存为 CSV…</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Similarities as CSV…</source>
        <translation>将相似度存为 CSV…</translation>
    </message>
    <message>
        <source>Ranking as CSV…</source>
        <translation>将排序存为 CSV…</translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Vectors or ranking</source>
        <translation>向量或排序</translation>
    </message>
    <message>
        <source>How well each text answers a query</source>
        <translation>每个文本与查询的契合程度</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>向量</translation>
    </message>
    <message>
        <source>A vector for each text, and how similar they are</source>
        <translation>每个文本的向量，以及它们的相似程度</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>池化</translation>
    </message>
    <message>
        <source>How the states of a text&apos;s tokens become one vector</source>
        <translation>文本各词元的状态如何变为一个向量</translation>
    </message>
    <message>
        <source>mean of all tokens</source>
        <translation>所有词元的均值</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>第一个词元</translation>
    </message>
    <message>
        <source>last token</source>
        <translation>最后一个词元</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1 (as the file says)</source>
        <translation>%1（按文件的说明）</translation>
    </message>
    <message>
        <source>The weights are on %1</source>
        <translation>权重位于 %1</translation>
    </message>
    <message>
        <source>Making vectors needs all of them: download the model first.</source>
        <translation>生成向量需要全部权重：请先下载模型。</translation>
    </message>
    <message>
        <source>This model has no tokenizer</source>
        <translation>此模型没有分词器</translation>
    </message>
    <message>
        <source>Texts become vectors by way of tokens, and the file does not say which tokens the model knows. gufo-cli embed accepts token ids instead of texts.</source>
        <translation>文本经由词元变为向量，而文件没有说明模型有哪些词元。gufo-cli embed 接受词元 ID 代替文本。</translation>
    </message>
    <message>
        <source>No engine computes embeddings</source>
        <translation>没有能计算嵌入的引擎</translation>
    </message>
    <message>
        <source>Which text answers best?</source>
        <translation>哪个文本回答得最好？</translation>
    </message>
    <message>
        <source>Enter a query and the texts to choose from, one in each line. The model reads the query with each of them and gives a score.</source>
        <translation>输入一个查询和供选择的文本，每行一个。模型将查询与每个文本一起读取，并给出分数。</translation>
    </message>
    <message>
        <source>Enter texts, one in each line, or open a text file. Each becomes a vector; the page shows how similar they are, and where they lie in the plane. Up to %1 lines are used.</source>
        <translation>输入文本，每行一个，或打开文本文件。每个文本变为一个向量；页面显示它们的相似程度以及在平面上的位置。最多使用 %1 行。</translation>
    </message>
    <message>
        <source>How alike are your texts?</source>
        <translation>这些文本有多相似？</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>正在嵌入</translation>
    </message>
    <message>
        <source>There is no line with text.</source>
        <translation>没有含文本的行。</translation>
    </message>
    <message>
        <source>The first %1 of %2 lines were used.</source>
        <translation>使用了 %2 行中的前 %1 行。</translation>
    </message>
    <message>
        <source>There is nothing to export yet</source>
        <translation>还没有可导出的内容</translation>
    </message>
    <message numerus="yes">
        <source>%n texts</source>
        <translation>
            <numerusform>%n 个文本</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ranked, %2</source>
        <translation>已排序 %1，%2</translation>
    </message>
    <message>
        <source>%1, %2, vectors of %3 elements</source>
        <translation>%1，%2，向量有 %3 个元素</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>已导出到 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>Embed</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Score %1</source>
        <translation>分数 %1</translation>
    </message>
    <message>
        <source>Line %1 has %2 tokens, but the model reads at most %3.</source>
        <translation>第 %1 行有 %2 个词元，但模型最多读取 %3 个。</translation>
    </message>
    <message numerus="yes">
        <source>%n other lines are too long as well.</source>
        <translation>
            <numerusform>另有 %n 行也过长。</numerusform>
        </translation>
    </message>
    <message>
        <source>Line %1 has no tokens, and the model adds none of its own.</source>
        <translation>第 %1 行没有词元，模型自身也不添加词元。</translation>
    </message>
    <message>
        <source>Line %1 cannot be used: %2.</source>
        <translation>第 %1 行无法使用：%2。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::EmbeddingMap</name>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Embeddings of tokens in the plane of their first two principal components</source>
        <translation>词元嵌入在前两个主成分平面上的位置</translation>
    </message>
    <message>
        <source>Write each token beside its point, as far as there is room</source>
        <translation>在空间允许时把词元写在点旁</translation>
    </message>
    <message>
        <source>embeddings</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>The file has no table of token embeddings that can be read.</source>
        <translation>文件中没有可读取的词元嵌入表。</translation>
    </message>
    <message>
        <source>Fetch from %1</source>
        <translation>从 %1 获取</translation>
    </message>
    <message>
        <source>Fetch the embeddings of these tokens</source>
        <translation>获取这些词元的嵌入</translation>
    </message>
    <message>
        <source>Reading embeddings</source>
        <translation>正在读取嵌入</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
</context>
<context>
    <name>gufo::ui::EngineLoader</name>
    <message>
        <source>The engine has ended: %1.</source>
        <translation>引擎已退出：%1。</translation>
    </message>
    <message>
        <source>%1. Its last lines:</source>
        <translation>%1。最后几行输出：</translation>
    </message>
</context>
<context>
    <name>gufo::ui::EnginePanel</name>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Total memory</source>
        <translation>总内存</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Context shift</source>
        <translation>上下文移位</translation>
    </message>
    <message>
        <source>Literal content</source>
        <translation>按字面处理内容</translation>
    </message>
    <message>
        <source>Keep the texts of control tokens, such as &lt;|im_end|&gt;, as text where they occur in a message; otherwise they become control tokens, as in transformers</source>
        <translation>将消息中出现的控制词元文本（例如 &lt;|im_end|&gt;）保留为文本；否则与 transformers 一样变为控制词元</translation>
    </message>
    <message>
        <source>Probabilities after the samplers</source>
        <translation>采样器之后的概率</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
    <message>
        <source>Unload the model to change context, KV cache and threads; conversations are kept</source>
        <translation>卸载模型以更改上下文、KV 缓存和线程；对话会保留</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>Free the memory</source>
        <translation>释放内存</translation>
    </message>
    <message>
        <source>loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>未加载</translation>
    </message>
    <message>
        <source>When the context is full, leave out the oldest messages, or the older half of a text, and continue; otherwise the answer ends. The system message stays.</source>
        <translation>上下文已满时，略去最早的消息或文本较早的一半并继续；否则回答结束。系统消息会保留。</translation>
    </message>
    <message>
        <source>Show the probabilities that the samplers have left, instead of those before them</source>
        <translation>显示采样器筛选之后剩下的概率，而不是筛选之前的概率</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Engines</name>
    <message>
        <source>this engine does not report token probabilities</source>
        <translation>此引擎不提供词元概率</translation>
    </message>
    <message>
        <source>this engine does not report candidate tokens</source>
        <translation>此引擎不提供候选词元</translation>
    </message>
    <message>
        <source>this engine cannot continue from another token</source>
        <translation>此引擎不能从另一个词元继续</translation>
    </message>
    <message>
        <source>this engine cannot continue a partial answer</source>
        <translation>此引擎不能继续未完成的回答</translation>
    </message>
    <message>
        <source>this engine accepts conversations only</source>
        <translation>此引擎只接受对话</translation>
    </message>
    <message>
        <source>this engine applies its own chat template</source>
        <translation>此引擎应用自己的聊天模板</translation>
    </message>
    <message>
        <source>this engine does not support grammars</source>
        <translation>此引擎不支持语法</translation>
    </message>
    <message>
        <source>this engine does not support JSON schemas</source>
        <translation>此引擎不支持 JSON Schema</translation>
    </message>
    <message>
        <source>this engine accepts text, not single tokens</source>
        <translation>此引擎接受文本，不接受单个词元</translation>
    </message>
    <message>
        <source>this engine does not support context shifting</source>
        <translation>此引擎不支持上下文移位</translation>
    </message>
    <message>
        <source>this engine does not forecast its memory use</source>
        <translation>此引擎不预估内存用量</translation>
    </message>
    <message>
        <source>this engine does not report the probabilities of all tokens</source>
        <translation>此引擎不提供所有词元的概率</translation>
    </message>
    <message>
        <source>this engine does not compute embeddings</source>
        <translation>此引擎不计算嵌入</translation>
    </message>
    <message>
        <source>this engine cannot save its state</source>
        <translation>此引擎不能保存状态</translation>
    </message>
    <message>
        <source>this engine has no chat template of its own</source>
        <translation>此引擎没有自己的聊天模板</translation>
    </message>
    <message>
        <source>this engine does not report probabilities after the samplers</source>
        <translation>此引擎不提供采样器之后的概率</translation>
    </message>
    <message>
        <source>this engine only supports temperature, top-p, frequency and presence penalties, and a seed</source>
        <translation>此引擎只支持温度、top-p、频率惩罚、存在惩罚和种子</translation>
    </message>
    <message>
        <source>this engine does not report the probabilities of a given text&apos;s tokens</source>
        <translation>此引擎不提供给定文本各词元的概率</translation>
    </message>
    <message>
        <source>Gufo</source>
        <translation>Gufo</translation>
    </message>
    <message>
        <source>A server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>this engine cannot draft with a block of the model</source>
        <translation>此引擎不能用模型自身的块生成草稿</translation>
    </message>
    <message>
        <source>the model has no block that predicts further tokens (multi-token prediction)</source>
        <translation>模型没有预测后续词元的块（多词元预测）</translation>
    </message>
    <message>
        <source>the model&apos;s block that predicts further tokens cannot be used: %1: %2</source>
        <translation>模型预测后续词元的块无法使用：%1：%2</translation>
    </message>
    <message>
        <source>the model&apos;s block that predicts further tokens cannot be used: %1</source>
        <translation>模型预测后续词元的块无法使用：%1</translation>
    </message>
    <message>
        <source>a server with OpenAI&apos;s interface</source>
        <translation>具有 OpenAI 接口的服务器</translation>
    </message>
    <message numerus="yes">
        <source>, context of %n tokens</source>
        <translation>
            <numerusform>，上下文 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>, sees pictures</source>
        <translation>，支持图片</translation>
    </message>
    <message>
        <source>, hears audio</source>
        <translation>，支持音频</translation>
    </message>
    <message>
        <source>it runs this file&apos;s model (same tensors and vocabulary)</source>
        <translation>它运行此文件的模型（张量和词表相同）</translation>
    </message>
    <message>
        <source>it runs another model, so tokens are exchanged as text</source>
        <translation>它运行另一个模型，因此词元以文本交换</translation>
    </message>
    <message>
        <source>whether it runs this file&apos;s model is not known</source>
        <translation>不知道它是否运行此文件的模型</translation>
    </message>
    <message>
        <source>; its chat template is not the one of this file</source>
        <translation>；其聊天模板不是此文件的模板</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n others</source>
        <translation>
            <numerusform>%1 和另外 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ErrorMap</name>
    <message>
        <source>Map of errors by row and column</source>
        <translation>误差热力图，按行和列</translation>
    </message>
    <message>
        <source>rows %1, columns %2</source>
        <translation>行 %1，列 %2</translation>
    </message>
    <message>
        <source>; blocks of %1</source>
        <translation>；分块 %1</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>正在解码</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ErrorView</name>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Recover this copy</source>
        <translation>恢复此副本</translation>
    </message>
    <message>
        <source>Show bytes</source>
        <translation>显示字节</translation>
    </message>
    <message>
        <source>Shows the file in hexadecimal, up to where it can be understood</source>
        <translation>以十六进制显示文件，直到无法理解之处</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>关闭标签页</translation>
    </message>
    <message>
        <source>This repository cannot be listed</source>
        <translation>无法列出此仓库</translation>
    </message>
    <message>
        <source>This file cannot be opened</source>
        <translation>无法打开此文件</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ExpertMap</name>
    <message numerus="yes">
        <source>Map of how often experts were used; %n were never used</source>
        <translation>
            <numerusform>专家使用频率分布图；有 %n 个从未使用</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, expert %2</source>
        <translation>%1，专家 %2</translation>
    </message>
    <message>
        <source>%1: %2 rows, %3 % of the tensor&apos;s</source>
        <translation>%1：%2 行，占该张量的 %3%</translation>
    </message>
    <message>
        <source>%1: no token was routed to it</source>
        <translation>%1：没有词元路由到它</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ExpertsView</name>
    <message>
        <source>Experts of the chosen token, by block</source>
        <translation>所选词元的专家，按块</translation>
    </message>
    <message>
        <source>Load of the experts over the text</source>
        <translation>专家在文本中的负载</translation>
    </message>
    <message>
        <source>Tokens of the text that each expert computed</source>
        <translation>每个专家所计算的文本词元</translation>
    </message>
    <message>
        <source>This model has no experts</source>
        <translation>此模型没有专家</translation>
    </message>
    <message>
        <source>In a mixture of experts, a router sends each token to some of several feed-forward networks. Here, every token passes through the same one.</source>
        <translation>在混合专家模型中，路由器将每个词元送往多个前馈网络中的几个。而此处每个词元都经过同一个网络。</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Expert %1 with the weight %2</source>
        <translation>专家 %1，权重 %2</translation>
    </message>
    <message numerus="yes">
        <source>Block %1, expert %2: %n tokens</source>
        <translation>
            <numerusform>块 %1，专家 %2：%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Experts that compute “%1”, with their weights: %2 of %3 in each block.</source>
        <translation>计算“%1”的专家及其权重：每个块使用 %2 个，共 %3 个。</translation>
    </message>
    <message>
        <source>No experts to compare</source>
        <translation>没有可比较的专家</translation>
    </message>
    <message>
        <source>Both models need experts in the same blocks, the same number of them, and the same number that compute a token.</source>
        <translation>两个模型须在相同的块中有专家，专家数相同，且计算一个词元的专家数也相同。</translation>
    </message>
    <message>
        <source>Tokens of the text that each expert computed, B − A</source>
        <translation>每个专家所计算的文本词元，B − A</translation>
    </message>
    <message>
        <source>Tokens, B − A</source>
        <translation>词元，B − A</translation>
    </message>
    <message numerus="yes">
        <source>Experts that compute “%1”: A and B choose the same ones in %2 of %n blocks.</source>
        <translation>
            <numerusform>计算“%1”的专家：A 与 B 在 %n 个块中的 %2 个里选择相同。</numerusform>
        </translation>
    </message>
    <message>
        <source>Block %1, expert %2, B − A: %3 tokens</source>
        <translation>块 %1，专家 %2，B − A：%3 个词元</translation>
    </message>
    <message>
        <source>Only A</source>
        <translation>仅 A</translation>
    </message>
    <message>
        <source>Only B</source>
        <translation>仅 B</translation>
    </message>
    <message>
        <source>Both, A → B</source>
        <translation>两者，A → B</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ExportPath</name>
    <message>
        <source>%1 exists already. Replace it?</source>
        <translation>%1 已存在。是否替换？</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FetchingView</name>
    <message>
        <source>What has arrived</source>
        <translation>已收到的内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message>
        <source>Progress of opening</source>
        <translation>打开进度</translation>
    </message>
    <message>
        <source>Keys that have arrived</source>
        <translation>已收到的键</translation>
    </message>
    <message>
        <source>Tensors that have arrived</source>
        <translation>已收到的张量</translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation>
            <numerusform>%n 个键</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>Contacting %1…</source>
        <translation>正在连接 %1…</translation>
    </message>
    <message>
        <source>%1 received from %2</source>
        <translation>已从 %2 收到 %1</translation>
    </message>
    <message>
        <source>%1 received from %2 and %3</source>
        <translation>已从 %2 和 %3 收到 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FieldModel</name>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FileChip</name>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FileChips</name>
    <message>
        <source>Files compared</source>
        <translation>比较的文件</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>%1, %2 bits/weight</source>
        <translation>%1，%2 位/权重</translation>
    </message>
    <message>
        <source>Make &amp;Reference</source>
        <translation>设为参照(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Open in a Tab</source>
        <translation>在标签页中打开(&amp;O)</translation>
    </message>
    <message>
        <source>Copy File &amp;Path</source>
        <translation>复制文件路径(&amp;P)</translation>
    </message>
    <message>
        <source>Remo&amp;ve</source>
        <translation>移除(&amp;V)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FileField</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>选择：%1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>None: %1</source>
        <translation>无：%1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not chosen yet</source>
        <translation>尚未选择</translation>
    </message>
    <message>
        <source>Texts (*.txt *.md *.raw *.text)</source>
        <translation>文本 (*.txt *.md *.raw *.text)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FileWatch</name>
    <message>
        <source>%1 no longer exists.</source>
        <translation>%1 已不存在。</translation>
    </message>
    <message>
        <source>%1 has changed on disk: another file has its name.</source>
        <translation>%1 在磁盘上已更改：另一个文件使用了它的名称。</translation>
    </message>
    <message>
        <source>%1 has changed on disk: another program wrote into it.</source>
        <translation>%1 在磁盘上已更改：另一个程序写入了它。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FilterField</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FindingGroups</name>
    <message>
        <source>Together, %1 of their data lie past the end of the file.</source>
        <translation>它们的数据共有 %1 超出文件末尾。</translation>
    </message>
    <message>
        <source>Together, not a number: %1, infinite: %2.</source>
        <translation>合计：不是数字的 %1 个，无穷大的 %2 个。</translation>
    </message>
    <message>
        <source>The first: %1</source>
        <translation>第一个：%1</translation>
    </message>
    <message>
        <source>Show only their number</source>
        <translation>只显示数量</translation>
    </message>
    <message>
        <source>Show %1 of them</source>
        <translation>显示其中 %1 个</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FindingsModel</name>
    <message numerus="yes">
        <source>%n errors</source>
        <translation>
            <numerusform>%n 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation>
            <numerusform>%n 个警告</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n 个提示</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checks passed</source>
        <translation>
            <numerusform>%n 项检查通过</numerusform>
        </translation>
    </message>
    <message>
        <source>missing tensors not judged</source>
        <translation>未判断是否缺少张量</translation>
    </message>
    <message>
        <source>Not run: NaN and infinity scan</source>
        <translation>未运行：NaN 和无穷大扫描</translation>
    </message>
    <message>
        <source>Reads %1 of weights.</source>
        <translation>读取 %1 的权重。</translation>
    </message>
    <message>
        <source>Fetches %1 of weights from %2.</source>
        <translation>从 %2 获取 %1 的权重。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FindingsPanel</name>
    <message>
        <source>Nothing to report.</source>
        <translation>没有问题。</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Applies all repairs that guess nothing and lose nothing, in one step, which can be undone. The others have buttons of their own.</source>
        <translation>一步应用所有不作猜测、不丢失内容的修复，可撤销。其余修复有各自的按钮。</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>checking …</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Scanning weights</source>
        <translation>正在扫描权重</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>正在检查</translation>
    </message>
    <message>
        <source>Fix all %1</source>
        <translation>修复全部 %1 个</translation>
    </message>
    <message>
        <source>Fix %1 of %2</source>
        <translation>修复 %2 个中的 %1 个</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run the scan of all weights</source>
        <translation>扫描所有权重</translation>
    </message>
    <message>
        <source>Reads all weights and searches for NaN and infinity</source>
        <translation>读取所有权重，查找 NaN 和无穷大</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Repairs this finding; can be undone</source>
        <translation>修复此问题；可撤销</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>修复：%1</translation>
    </message>
    <message numerus="yes">
        <source>Fix %n findings</source>
        <translation>
            <numerusform>修复 %n 个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Copies a text about the model and its findings for a thread about a fault; it holds no folders of this computer</source>
        <translation>复制有关模型及其问题的文本，供在讨论帖中报告故障；其中不含本机的文件夹</translation>
    </message>
    <message>
        <source>Check against base model…</source>
        <translation>与基础模型核对…</translation>
    </message>
    <message>
        <source>Compares weights with the model from which this one is said to be quantised: is it made from it? Reads a sample of each tensor</source>
        <translation>将权重与据称的量化来源模型比较：它是否由那个模型制作？每个张量只抽样读取</translation>
    </message>
    <message>
        <source>Choose the base model</source>
        <translation>选择基础模型</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 has no tensor of the same name and shape</source>
        <translation>%1 中没有名称和形状相同的张量</translation>
    </message>
    <message numerus="yes">
        <source>The weights are those of %1: %n tensors compared</source>
        <translation>
            <numerusform>权重来自 %1：比较了 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>The weights are not those of %1</source>
        <translation>权重并非来自 %1</translation>
    </message>
    <message>
        <source>Comparing with %1</source>
        <translation>正在与 %1 比较</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FindingsView</name>
    <message>
        <source>Findings</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FoldField</name>
    <message>
        <source>Fold: automatic</source>
        <translation>汇总：自动</translation>
    </message>
    <message>
        <source>RMS where a pixel stands for many weights, otherwise the largest</source>
        <translation>一个像素代表许多权重时取 RMS，否则取最大值</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>Root mean square: which rows and columns are strong</source>
        <translation>均方根：哪些行和列较强</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Mean with sign: which rows and columns are biased</source>
        <translation>带符号的均值：哪些行和列有偏</translation>
    </message>
    <message>
        <source>Largest |w|</source>
        <translation>最大 |w|</translation>
    </message>
    <message>
        <source>largest |w|</source>
        <translation>最大 |w|</translation>
    </message>
    <message>
        <source>Largest magnitude: where the outliers are</source>
        <translation>最大绝对值：离群值在哪里</translation>
    </message>
    <message>
        <source>Largest, signed</source>
        <translation>最大值，带符号</translation>
    </message>
    <message>
        <source>signed maximum</source>
        <translation>带符号的最大值</translation>
    </message>
    <message>
        <source>The weight of the largest magnitude, with its sign</source>
        <translation>绝对值最大的权重，带符号</translation>
    </message>
    <message>
        <source>What the colour of a pixel shows</source>
        <translation>像素颜色所表示的内容</translation>
    </message>
    <message>
        <source>What the colour of a pixel shows if it stands for several weights</source>
        <translation>像素代表多个权重时，其颜色所表示的内容</translation>
    </message>
</context>
<context>
    <name>gufo::ui::FoldedButtons</name>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>gufo::ui::GoToField</name>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Go to key, tensor, page or command</source>
        <translation>转到键、张量、页面或命令</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Token %1</source>
        <translation>词元 %1</translation>
    </message>
    <message>
        <source>Contact %1</source>
        <translation>连接 %1</translation>
    </message>
    <message>
        <source>No name contains these words</source>
        <translation>没有名称含有这些词</translation>
    </message>
    <message>
        <source>Open a model to go to its keys, tensors and tokens, or type an address</source>
        <translation>打开模型即可转到其键、张量和词元，或输入地址</translation>
    </message>
</context>
<context>
    <name>gufo::ui::GrammarField</name>
    <message>
        <source>Ignore what cannot be guaranteed</source>
        <translation>忽略无法保证的内容</translation>
    </message>
    <message>
        <source>Any text</source>
        <translation>任意文本</translation>
    </message>
    <message>
        <source>Grammar (GBNF)</source>
        <translation>语法（GBNF）</translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation>JSON Schema</translation>
    </message>
    <message>
        <source>Constraint of the answer</source>
        <translation>回答的约束</translation>
    </message>
    <message>
        <source>Allows only tokens with which the answer can still satisfy the grammar or schema</source>
        <translation>只允许使回答仍能满足语法或 Schema 的词元</translation>
    </message>
    <message>
        <source>Grammar or schema</source>
        <translation>语法或 Schema</translation>
    </message>
    <message>
        <source>Ignores keywords of the schema that no answer can be held to, and names them, instead of refusing the schema</source>
        <translation>忽略 Schema 中无法强制回答遵守的关键字并列出它们，而不是拒绝该 Schema</translation>
    </message>
    <message>
        <source>Ignored, so that answers may violate it: %1</source>
        <translation>已忽略，因此回答可能违反：%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::GuideWindow</name>
    <message>
        <source>Search the guide</source>
        <translation>搜索指南</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>Chapters</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>Chapter</source>
        <translation>章</translation>
    </message>
</context>
<context>
    <name>gufo::ui::HeatMap</name>
    <message>
        <source>Map of weights</source>
        <translation>权重热力图</translation>
    </message>
    <message>
        <source>row %1, column %2</source>
        <translation>第 %1 行，第 %2 列</translation>
    </message>
    <message numerus="yes">
        <source>, %1 of about %n weights here</source>
        <translation>
            <numerusform>，此处约 %n 个权重的 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>each pixel: %1 of about %n weights</source>
        <translation>
            <numerusform>每个像素：约 %n 个权重的 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::HelpDialogs</name>
    <message>
        <source>Close a tab with the mouse</source>
        <translation>用鼠标关闭标签页</translation>
    </message>
    <message>
        <source>Open the selected recent files</source>
        <translation>打开所选的最近文件</translation>
    </message>
    <message>
        <source>Remove the selected recent files from the list</source>
        <translation>从列表中移除所选的最近文件</translation>
    </message>
    <message>
        <source>Plots: zoom, move, show everything with the mouse</source>
        <translation>图表：用鼠标缩放、移动、显示全部</translation>
    </message>
    <message>
        <source>Wheel, drag, double click</source>
        <translation>滚轮、拖动、双击</translation>
    </message>
    <message>
        <source>Move between controls</source>
        <translation>在控件之间移动</translation>
    </message>
    <message>
        <source>Menu bar</source>
        <translation>菜单栏</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>About Gufo</source>
        <translation>关于 Gufo</translation>
    </message>
    <message>
        <source>Inspects, edits, compares and runs GGUF models.

Free software under the GNU General Public License, version 3 or later. It comes without any warranty.

Built with Qt %1 and QCustomPlot. Colour maps: viridis (Smith, van der Walt), cividis (Nuñez, Anderton, Renslow).</source>
        <translation>检查、编辑、比较和运行 GGUF 模型文件。

自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本。不附带任何担保。

使用 Qt %1 和 QCustomPlot 构建。色图：viridis（Smith、van der Walt）、cividis（Nuñez、Anderton、Renslow）。</translation>
    </message>
    <message>
        <source>Run: send the message</source>
        <translation>运行：发送消息</translation>
    </message>
    <message>
        <source>Run: begin a new line in the message</source>
        <translation>运行：在消息中换行</translation>
    </message>
    <message>
        <source>Run: continue the text of a completion, or send the message</source>
        <translation>运行：续写文本，或发送消息</translation>
    </message>
    <message>
        <source>Run: show the alternatives of the token at the cursor in a text</source>
        <translation>运行：显示文本光标处词元的其他候选</translation>
    </message>
    <message>
        <source>Run: stop the answer</source>
        <translation>运行：停止回答</translation>
    </message>
    <message>
        <source>Run: regenerate the answer</source>
        <translation>运行：重新生成回答</translation>
    </message>
    <message>
        <source>Run: edit the last message</source>
        <translation>运行：编辑最后一条消息</translation>
    </message>
    <message>
        <source>Run: go to the previous answer</source>
        <translation>运行：转到上一个回答</translation>
    </message>
    <message>
        <source>Run: go to the next answer, or to the message field</source>
        <translation>运行：转到下一个回答，或消息输入栏</translation>
    </message>
    <message>
        <source>Run: show the previous version of the answer</source>
        <translation>运行：显示回答的上一个版本</translation>
    </message>
    <message>
        <source>Run: show the next version of the answer</source>
        <translation>运行：显示回答的下一个版本</translation>
    </message>
    <message>
        <source>Run: show or hide the settings</source>
        <translation>运行：显示或隐藏设置</translation>
    </message>
    <message>
        <source>Plots: zoom in, zoom out</source>
        <translation>图表：放大、缩小</translation>
    </message>
    <message>
        <source>Plots: move the part shown, or the selected point</source>
        <translation>图表：移动显示的部分或所选的点</translation>
    </message>
    <message>
        <source>Plots: show everything</source>
        <translation>图表：显示全部</translation>
    </message>
    <message>
        <source>Map of a tensor: fill the screen, or end it</source>
        <translation>张量热力图：全屏显示或退出</translation>
    </message>
    <message>
        <source>Maps: move between cells</source>
        <translation>分布图：在单元格之间移动</translation>
    </message>
    <message>
        <source>Maps: open the tensor of a cell</source>
        <translation>分布图：打开单元格的张量</translation>
    </message>
    <message>
        <source>Maps: unfold or fold a row</source>
        <translation>分布图：展开或折叠一行</translation>
    </message>
</context>
<context>
    <name>gufo::ui::HexView</name>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
</context>
<context>
    <name>gufo::ui::HistogramModel</name>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
</context>
<context>
    <name>gufo::ui::HistogramPlot</name>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>均值 %1</translation>
    </message>
    <message>
        <source>mean ± σ, σ = %1</source>
        <translation>均值 ± σ，σ = %1</translation>
    </message>
    <message>
        <source>%1 per code</source>
        <translation>每编码%1数</translation>
    </message>
    <message>
        <source>per code</source>
        <translation>每编码</translation>
    </message>
    <message>
        <source>%1 per bin of %2</source>
        <translation>每区间%1数（宽 %2）</translation>
    </message>
    <message>
        <source>per bin of %1</source>
        <translation>每区间（宽 %1）</translation>
    </message>
    <message>
        <source>mean ± σ</source>
        <translation>均值 ± σ</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 个%2</translation>
    </message>
    <message>
        <source>code %1</source>
        <translation>编码 %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
</context>
<context>
    <name>gufo::ui::HistogramSection</name>
    <message>
        <source>What is counted</source>
        <translation>统计的内容</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>缩放因子</translation>
    </message>
    <message>
        <source>The scale by which each group of weights is multiplied</source>
        <translation>每组权重所乘的缩放因子</translation>
    </message>
    <message>
        <source>Codes</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>How often each stored number is used</source>
        <translation>每个存储值的使用次数</translation>
    </message>
    <message>
        <source>Axis of the counts</source>
        <translation>计数轴</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Show the figures as a table</source>
        <translation>以表格显示数值</translation>
    </message>
    <message>
        <source>Figures of the histogram</source>
        <translation>直方图的数值</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Histogram of the weights</source>
        <translation>权重的直方图</translation>
    </message>
    <message>
        <source>Histogram of the block scales</source>
        <translation>分块缩放因子的直方图</translation>
    </message>
    <message>
        <source>Use of the codes</source>
        <translation>编码的使用情况</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>scales</source>
        <translation>缩放因子</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>缩放因子</translation>
    </message>
    <message>
        <source>stored code</source>
        <translation>存储的编码</translation>
    </message>
    <message>
        <source>scales per bin</source>
        <translation>每区间缩放因子数</translation>
    </message>
    <message>
        <source>weights per code</source>
        <translation>每编码权重数</translation>
    </message>
    <message>
        <source>weights per bin</source>
        <translation>每区间权重数</translation>
    </message>
    <message>
        <source>Counting</source>
        <translation>正在计数</translation>
    </message>
    <message>
        <source>Reading blocks</source>
        <translation>正在读取分块</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixDialog</name>
    <message>
        <source>Importance Matrix of %1</source>
        <translation>%1 的重要性矩阵</translation>
    </message>
    <message>
        <source>&amp;Measure…</source>
        <translation>测量(&amp;M)…</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>A text like those that the quantised model will read and write</source>
        <translation>应与量化后的模型将要处理的文本相近</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>all of the text</source>
        <translation>全部文本</translation>
    </message>
    <message>
        <source> chunks</source>
        <translation> 个文本段</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>文本(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Chunk</source>
        <translation>文本段(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;At most</source>
        <translation>最多(&amp;A)</translation>
    </message>
    <message>
        <source>Sums the squared inputs of each matrix while the model reads the text.</source>
        <translation>在模型读取文本时，对每个矩阵的输入平方求和。</translation>
    </message>
    <message>
        <source>Write the importance matrix</source>
        <translation>写出重要性矩阵</translation>
    </message>
    <message>
        <source>Importance matrices (*.gguf)</source>
        <translation>重要性矩阵 (*.gguf)</translation>
    </message>
    <message>
        <source>%1 exists already, and is no unfinished matrix of this model, text and chunk. Choose another name, or remove the file first.</source>
        <translation>%1 已存在，且不是由此模型、文本和文本段长度生成的未完成矩阵。请选择其他名称，或先移除该文件。</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was written.</source>
        <translation>已取消。没有写入任何内容。</translation>
    </message>
    <message numerus="yes">
        <source>Cancelled. %n chunks are saved in %1; measuring into the same file continues there.</source>
        <translation>
            <numerusform>已取消。%n 个文本段已保存在 %1 中；再次写入同一文件即可从该处继续。</numerusform>
        </translation>
    </message>
    <message>
        <source>Evaluating %1</source>
        <translation>正在计算 %1</translation>
    </message>
    <message>
        <source>Stop measuring %1?</source>
        <translation>停止测量 %1？</translation>
    </message>
    <message>
        <source>Whole chunks that were evaluated are saved, and measuring into the same file continues there.</source>
        <translation>已计算的完整文本段会保存，再次写入同一文件即可从该处继续。</translation>
    </message>
    <message numerus="yes">
        <source>%n matrices, from %1 chunks of %2 tokens</source>
        <translation>
            <numerusform>%n 个矩阵，来自 %1 个文本段，每段 %2 个词元</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chunks had been evaluated before.</source>
        <translation>
            <numerusform>先前已计算 %n 个文本段。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no chunk and were left out.</source>
        <translation>
            <numerusform>文本的最后 %n 个词元不足一个文本段，已略去。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n of %1 expert matrices; a longer text may reach them.</source>
        <translation>
            <numerusform>%1 个专家矩阵中有 %n 个没有收到任何词元；换用更长的文本或许可以覆盖。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixField</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Choose an importance matrix</source>
        <translation>选择重要性矩阵</translation>
    </message>
    <message>
        <source>A file that llama-imatrix wrote for this model: GGUF or .dat. It reduces errors where they matter most.</source>
        <translation>llama-imatrix 为此模型写出的文件：GGUF 或 .dat。可减小最重要之处的误差。</translation>
    </message>
    <message>
        <source>No importance matrix</source>
        <translation>没有重要性矩阵</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n tensors</source>
        <translation>
            <numerusform>%1，%n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>Importance matrices (*.gguf *.dat *.imatrix)</source>
        <translation>重要性矩阵 (*.gguf *.dat *.imatrix)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixModel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>相符</translation>
    </message>
    <message>
        <source>no entry</source>
        <translation>没有条目</translation>
    </message>
    <message>
        <source>no such tensor</source>
        <translation>没有该张量</translation>
    </message>
    <message>
        <source>other shape</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>no values</source>
        <translation>没有值</translation>
    </message>
    <message>
        <source>Columns with the largest sums of squared inputs, as shares of the tensor&apos;s sum: %1</source>
        <translation>输入平方和最大的列，及其占该张量总和的比例：%1</translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n matrices. They are quantised without importance.</source>
        <translation>
            <numerusform>有 %n 个矩阵没有收到任何词元。它们会在不考虑重要性的情况下量化。</numerusform>
        </translation>
    </message>
    <message>
        <source>The model has this matrix, but the file says nothing about it. It is quantised without importance.</source>
        <translation>模型有此矩阵，但文件中没有关于它的内容。它会在不考虑重要性的情况下量化。</translation>
    </message>
    <message>
        <source>All values of the entry are 0, or no token was counted. The tensor is quantised without importance.</source>
        <translation>该条目的所有值都是 0，或没有统计任何词元。该张量会在不考虑重要性的情况下量化。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Matrices used</source>
        <translation>使用的矩阵</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Top channels</source>
        <translation>最强通道</translation>
    </message>
    <message>
        <source>In the model</source>
        <translation>在模型中</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImatrixPanel</name>
    <message>
        <source>Model that the matrix is compared with</source>
        <translation>与矩阵比较的模型</translation>
    </message>
    <message>
        <source>Entries of the importance matrix</source>
        <translation>重要性矩阵的条目</translation>
    </message>
    <message>
        <source>Use of experts</source>
        <translation>专家的使用情况</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Reading the entries…</source>
        <translation>正在读取条目…</translation>
    </message>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n 个条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 from %n chunks of text.</source>
        <translation>
            <numerusform>%1，来自 %n 个文本段。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; the file does not state how much text was read.</source>
        <translation>%1；文件没有说明读取了多少文本。</translation>
    </message>
    <message numerus="yes">
        <source>%n data sets: %1.</source>
        <translation>
            <numerusform>%n 个数据集：%1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n expert matrices were used.</source>
        <translation>
            <numerusform>全部 %n 个专家矩阵都已使用。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No token was routed to %n of %1 expert matrices.</source>
        <translation>
            <numerusform>%1 个专家矩阵中有 %n 个没有收到任何词元。</numerusform>
        </translation>
    </message>
    <message>
        <source>Open the model in another tab to see which of its matrices have no entry.</source>
        <translation>在另一个标签页中打开模型，即可查看它的哪些矩阵没有条目。</translation>
    </message>
    <message numerus="yes">
        <source>%n matrices of the model have no entry.</source>
        <translation>
            <numerusform>模型有 %n 个矩阵没有条目。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries are for tensors that the model does not have.</source>
        <translation>
            <numerusform>有 %n 个条目对应模型所没有的张量。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries are for tensors of another shape.</source>
        <translation>
            <numerusform>有 %n 个条目对应形状不同的张量。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries have no values other than 0.</source>
        <translation>
            <numerusform>有 %n 个条目的值全为 0。</numerusform>
        </translation>
    </message>
    <message>
        <source>Every matrix that is usually quantised has an entry.</source>
        <translation>每个通常会量化的矩阵都有条目。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImportDialog</name>
    <message>
        <source>Import keys</source>
        <translation>导入键</translation>
    </message>
    <message>
        <source>Keys to import</source>
        <translation>要导入的键</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>全不选(&amp;N)</translation>
    </message>
    <message>
        <source>From %1: %2 new, %3 with another value, %4 the same.</source>
        <translation>来自 %1：%2 个新键，%3 个值不同，%4 个相同。</translation>
    </message>
    <message numerus="yes">
        <source>Import %n keys</source>
        <translation>
            <numerusform>导入 %n 个键</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImportModel</name>
    <message>
        <source>new</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>当前值</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>导入值</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ImportTensorsDialog</name>
    <message>
        <source>Filter by name</source>
        <translation>按名称筛选</translation>
    </message>
    <message>
        <source>Also replace tensors with &amp;another shape</source>
        <translation>也替换形状不同的张量(&amp;A)</translation>
    </message>
    <message>
        <source>Import tensors from another model</source>
        <translation>从另一个模型导入张量</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Tensors of the other model</source>
        <translation>另一个模型的张量</translation>
    </message>
    <message>
        <source>Runtimes check shapes against the model&apos;s keys and may refuse such a file</source>
        <translation>运行时会将形状与模型的键核对，可能拒绝这样的文件</translation>
    </message>
    <message>
        <source>Import tensors from a file</source>
        <translation>从文件导入张量</translation>
    </message>
    <message>
        <source>Opening</source>
        <translation>正在打开</translation>
    </message>
    <message>
        <source>Reading the tensors</source>
        <translation>正在读取张量</translation>
    </message>
    <message numerus="yes">
        <source>Import %n tensors</source>
        <translation>
            <numerusform>导入 %n 个张量</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::IndexField</name>
    <message>
        <source>0 to %1</source>
        <translation>0 到 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::InputPanel</name>
    <message>
        <source>Open File…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>What the texts are compared with</source>
        <translation>与各文本比较的内容</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation>Ctrl+Return</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <source>Texts to be ranked, one in each line</source>
        <translation>要排序的文本，每行一个</translation>
    </message>
    <message>
        <source>Texts, one in each line</source>
        <translation>文本，每行一个</translation>
    </message>
    <message>
        <source>Type or paste the texts that may answer the query</source>
        <translation>输入或粘贴可能回答该查询的文本</translation>
    </message>
    <message>
        <source>Type or paste sentences, titles, questions …</source>
        <translation>输入或粘贴句子、标题、问题…</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>Embed</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Open a text file</source>
        <translation>打开文本文件</translation>
    </message>
    <message>
        <source>Text (*.txt *.md *.csv *.tsv *.jsonl);;All files (*)</source>
        <translation>文本 (*.txt *.md *.csv *.tsv *.jsonl);;所有文件 (*)</translation>
    </message>
    <message numerus="yes">
        <source>%n lines with text</source>
        <translation>
            <numerusform>%n 行含文本</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>%1 is empty.</source>
        <translation>%1 为空。</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::InsidePage</name>
    <message>
        <source>What is shown</source>
        <translation>显示的内容</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>To which earlier tokens each head looks</source>
        <translation>每个头关注之前的哪些词元</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>透镜</translation>
    </message>
    <message>
        <source>What the model would answer after each block</source>
        <translation>模型在每个块之后会给出的回答</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Which experts compute the token</source>
        <translation>由哪些专家计算该词元</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>幅度</translation>
    </message>
    <message>
        <source>How large the states are, and what each block adds</source>
        <translation>状态的幅度，以及每个块的增量</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>NumPy array…</source>
        <translation>NumPy 数组…</translation>
    </message>
    <message>
        <source>CSV…</source>
        <translation>CSV…</translation>
    </message>
    <message>
        <source>Picture of the heads</source>
        <translation>各个头的图片</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Picture of the head</source>
        <translation>此头的图片</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Picture of the load</source>
        <translation>负载的图片</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Picture of the sizes</source>
        <translation>幅度的图片</translation>
    </message>
    <message>
        <source>sizes</source>
        <translation>幅度</translation>
    </message>
    <message>
        <source>Text that the model reads</source>
        <translation>模型读取的文本</translation>
    </message>
    <message>
        <source>A text that the model reads</source>
        <translation>一段供模型读取的文本</translation>
    </message>
    <message>
        <source>Look inside</source>
        <translation>查看内部</translation>
    </message>
    <message>
        <source>Read the text and show what happens at its last token (Ctrl+Return)</source>
        <translation>读取文本，并显示其最后一个词元处发生的情况 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Show the conversation of the page Run, token by token, as the model read it</source>
        <translation>按模型读取的方式，逐个词元显示“运行”页面的对话</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>The weights are on %1</source>
        <translation>权重位于 %1</translation>
    </message>
    <message>
        <source>To look inside a run, all of them are needed: download the model first.</source>
        <translation>查看运行的内部需要全部权重：请先下载模型。</translation>
    </message>
    <message>
        <source>This model generates no text</source>
        <translation>此模型不生成文本</translation>
    </message>
    <message>
        <source>Its vectors are shown on the page Embed. Attention, the logit lens, experts and sizes are shown for models that predict the next token.</source>
        <translation>它的向量显示在“嵌入”页面。注意力、logit 透镜、专家和幅度只对预测下一个词元的模型显示。</translation>
    </message>
    <message>
        <source>This model has no tokenizer</source>
        <translation>此模型没有分词器</translation>
    </message>
    <message>
        <source>Texts become tokens by way of it. gufo-cli inspect --tokens accepts token ids instead.</source>
        <translation>文本要通过它变为词元。gufo-cli inspect --tokens 也可直接接受词元 ID。</translation>
    </message>
    <message>
        <source>Gufo&apos;s own engine cannot run this model</source>
        <translation>Gufo 自带的引擎无法运行此模型</translation>
    </message>
    <message>
        <source>The page shows what happens inside that engine: %1.</source>
        <translation>此页面显示该引擎内部发生的情况：%1。</translation>
    </message>
    <message>
        <source>Where does the model look?</source>
        <translation>模型关注哪里？</translation>
    </message>
    <message>
        <source>Enter a text, or take the conversation of Run, and choose a token. Each head of each block looks back at earlier tokens; their weights add up to 1, and shade the text.</source>
        <translation>输入文本，或取用“运行”页面的对话，然后选择一个词元。每个块的每个头都会回看之前的词元；其权重之和为 1，并为文本着色。</translation>
    </message>
    <message>
        <source>When does it know the answer?</source>
        <translation>它何时知道答案？</translation>
    </message>
    <message>
        <source>The logit lens applies the output of the model to the state after each block, and so shows what it would answer if it ended there.</source>
        <translation>logit 透镜将模型的输出层应用于每个块之后的状态，从而显示模型如果到此为止会给出的回答。</translation>
    </message>
    <message>
        <source>Which experts compute?</source>
        <translation>由哪些专家计算？</translation>
    </message>
    <message>
        <source>A mixture of experts sends each token to some of its feed-forward networks. The page shows which these are in each block, and how the text loads them.</source>
        <translation>混合专家模型将每个词元送往其中几个前馈网络。此页面显示每个块中是哪些，以及文本如何分配它们的负载。</translation>
    </message>
    <message>
        <source>How large are its states?</source>
        <translation>它的状态有多大？</translation>
    </message>
    <message>
        <source>Each block adds to a stream of numbers. A single channel that becomes much larger than the others is what makes a model hard to quantise.</source>
        <translation>每个块都在残差流上叠加内容。如果单个通道变得远大于其他通道，模型就难以量化。</translation>
    </message>
    <message>
        <source>There is nothing to export yet</source>
        <translation>还没有可导出的内容</translation>
    </message>
    <message>
        <source>The text has more than %1 characters.</source>
        <translation>文本超过 %1 个字符。</translation>
    </message>
    <message>
        <source>There is no conversation yet, or its engine does not say which tokens it read. Chat on the page Run first, with an engine of this computer.</source>
        <translation>还没有对话，或其引擎没有说明读取了哪些词元。请先在“运行”页面用本机的引擎进行对话。</translation>
    </message>
    <message>
        <source>Reading the text</source>
        <translation>正在读取文本</translation>
    </message>
    <message>
        <source>The text has %1 tokens; the inside of a run is shown for up to %2.</source>
        <translation>文本有 %1 个词元；最多可显示 %2 个词元的运行内部。</translation>
    </message>
    <message>
        <source>It is made for up to %1 tokens; gufo-cli inspect makes longer ones.</source>
        <translation>热力图最多支持 %1 个词元；更长的可用 gufo-cli inspect 生成。</translation>
    </message>
    <message>
        <source>The block has no attention.</source>
        <translation>该块没有注意力。</translation>
    </message>
    <message numerus="yes">
        <source>Evaluating %n tokens</source>
        <translation>
            <numerusform>正在计算 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Evaluating for this head</source>
        <translation>正在为此头计算</translation>
    </message>
    <message numerus="yes">
        <source>Token %1 of a text of %n tokens, %2 of %3 used</source>
        <translation>
            <numerusform>词元 %1，文本共 %n 个词元；内存 %2 / %3</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, token %2 “%3”</source>
        <translation>%1，词元 %2“%3”</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>There is nothing to export in this view.</source>
        <translation>此视图中没有可导出的内容。</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>已导出到 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>Which model is shown</source>
        <translation>显示哪个模型</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>此模型</translation>
    </message>
    <message>
        <source>The other model</source>
        <translation>另一个模型</translation>
    </message>
    <message>
        <source>How the other model differs from this one</source>
        <translation>另一个模型与此模型的差别</translation>
    </message>
    <message>
        <source>Picture of the ratios</source>
        <translation>比值的图片</translation>
    </message>
    <message>
        <source>ratios</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>Opening the other model</source>
        <translation>正在打开另一个模型</translation>
    </message>
    <message>
        <source>The models cannot be compared: %1.</source>
        <translation>无法比较这两个模型：%1。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::InsidePair</name>
    <message>
        <source>one model has %1 blocks and the other one %2</source>
        <translation>一个模型有 %1 个块，另一个有 %2 个</translation>
    </message>
</context>
<context>
    <name>gufo::ui::InsidePartner</name>
    <message>
        <source>Compare with…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Show what differs inside another model that reads the same tokens</source>
        <translation>显示另一个模型读取相同词元时内部的差别</translation>
    </message>
    <message>
        <source>Compared with %1</source>
        <translation>与 %1 比较</translation>
    </message>
    <message>
        <source>&amp;Stop comparing</source>
        <translation>停止比较(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;File…</source>
        <translation>文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::JinjaLexer</name>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Delimiter</source>
        <translation>分隔符</translation>
    </message>
    <message>
        <source>Keyword</source>
        <translation>关键字</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>String</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>运算符</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
</context>
<context>
    <name>gufo::ui::JobBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel: %1</source>
        <translation>取消：%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::JobDialog</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
</context>
<context>
    <name>gufo::ui::JsonProblem</name>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>第 %1 行第 %2 列：%3</translation>
    </message>
    <message>
        <source>This must be a list: [ … ]</source>
        <translation>此处必须是列表：[ … ]</translation>
    </message>
    <message>
        <source>This must be a single value</source>
        <translation>此处必须是单个值</translation>
    </message>
</context>
<context>
    <name>gufo::ui::KeyDialog</name>
    <message>
        <source>Add key</source>
        <translation>添加键</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>重命名 %1</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>general.name, or part of a key&apos;s meaning</source>
        <translation>general.name，或键的含义的一部分</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>键(&amp;K)</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>类型(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>值(&amp;V)</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Known keys</source>
        <translation>已知的键</translation>
    </message>
    <message>
        <source>%1 already exists: %2. A file can have each key only once; change the existing one instead.</source>
        <translation>%1 已存在：%2。文件中每个键只能有一个；请改为更改现有的键。</translation>
    </message>
    <message>
        <source>Replace the braces by a number or a word.</source>
        <translation>请将花括号替换为数字或单词。</translation>
    </message>
    <message>
        <source>Not a standard key; runtimes ignore unknown keys.</source>
        <translation>不是标准键；运行时会忽略未知的键。</translation>
    </message>
    <message>
        <source>One element per line; leave empty for an empty array</source>
        <translation>每行一个元素；留空表示空数组</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LayerStrip</name>
    <message>
        <source>All blocks</source>
        <translation>所有块</translation>
    </message>
    <message>
        <source>Block %1: %2</source>
        <translation>块 %1：%2</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LeftOut</name>
    <message numerus="yes">
        <source>%1 (%n tensors that predict further tokens)</source>
        <translation>
            <numerusform>%1（预测后续词元的 %n 个张量）</numerusform>
        </translation>
    </message>
    <message>
        <source>Ignored, because they do not affect the answers: %1 and %2 more tensors.</source>
        <translation>已忽略，因为它们不影响回答：%1 和另外 %2 个张量。</translation>
    </message>
    <message>
        <source>Ignored, because they do not affect the answers: %1.</source>
        <translation>已忽略，因为它们不影响回答：%1。</translation>
    </message>
    <message>
        <source>Gufo runs the encoder of this model, but not its decoder, which would generate texts.</source>
        <translation>Gufo 运行此模型的编码器，但不运行用于生成文本的解码器。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LensView</name>
    <message>
        <source>Most likely tokens after each block</source>
        <translation>每个块之后最可能的词元</translation>
    </message>
    <message>
        <source>After “%1”, the answer is “%2”. It is first only after the last block.</source>
        <translation>“%1”之后的答案是“%2”。它在最后一个块之后才居首位。</translation>
    </message>
    <message>
        <source>After “%1”, the answer is “%2”. It is first from block %3 on.</source>
        <translation>“%1”之后的答案是“%2”。它从块 %3 起居首位。</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>The rank of “%1” after the block</source>
        <translation>“%1”在该块之后的名次</translation>
    </message>
    <message>
        <source>The probability of “%1” after the block</source>
        <translation>“%1”在该块之后的概率</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>“%1”, id %2, %3</source>
        <translation>“%1”，ID %2，%3</translation>
    </message>
    <message>
        <source>only after the last block</source>
        <translation>仅在最后一块之后</translation>
    </message>
    <message>
        <source>from block %1 on</source>
        <translation>从块 %1 起</translation>
    </message>
    <message>
        <source>After “%1”, A answers “%2”, which is first %3; B answers “%4”, which is first %5.</source>
        <translation>“%1”之后，A 的答案是“%2”，%3居首位；B 的答案是“%4”，%5居首位。</translation>
    </message>
    <message>
        <source>Rank in A</source>
        <translation>A 中的名次</translation>
    </message>
    <message>
        <source>Rank in B</source>
        <translation>B 中的名次</translation>
    </message>
    <message>
        <source>Answer of A</source>
        <translation>A 的答案</translation>
    </message>
    <message>
        <source>Answer of B</source>
        <translation>B 的答案</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LinesEdit</name>
    <message>
        <source>Texts, one in each line</source>
        <translation>文本，每行一个</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LinkQuestion</name>
    <message>
        <source>Link</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>Open a page on %1 in the browser?</source>
        <translation>在浏览器中打开 %1 上的页面？</translation>
    </message>
    <message>
        <source>This link cannot be opened: it is not a web address.</source>
        <translation>无法打开此链接：它不是网址。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LoadPanel</name>
    <message>
        <source>This model cannot run: %1.</source>
        <translation>此模型无法运行：%1。</translation>
    </message>
    <message>
        <source> The architectures that it runs: %1.</source>
        <translation>可运行的架构：%1。</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>Run this model</source>
        <translation>运行此模型</translation>
    </message>
    <message>
        <source>%1 (not available)</source>
        <translation>%1（不可用）</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>Loading… %1 %</source>
        <translation>正在加载… %1%</translation>
    </message>
    <message>
        <source>The server cannot be used: %1.</source>
        <translation>无法使用该服务器：%1。</translation>
    </message>
    <message>
        <source>The model could not be loaded: %1.</source>
        <translation>无法加载模型：%1。</translation>
    </message>
    <message>
        <source>llama-server reads the model from a file of this computer, and it is on %1: download it first.</source>
        <translation>llama-server 从本机的文件读取模型，而该模型位于 %1：请先下载。</translation>
    </message>
    <message>
        <source>The weights are on %1, and running the model needs all of them: download it first.</source>
        <translation>权重位于 %1，运行模型需要全部权重：请先下载。</translation>
    </message>
    <message>
        <source>%1 cannot run this model: %2.</source>
        <translation>%1 无法运行此模型：%2。</translation>
    </message>
    <message>
        <source>Weights and intermediate results are sent to the other machines, without encryption.</source>
        <translation>权重和中间结果会不加密地发送到其他机器。</translation>
    </message>
    <message>
        <source>Gufo starts it for this file and stops it when you unload the model or close the tab.</source>
        <translation>Gufo 为此文件启动它，并在卸载模型或关闭标签页时停止它。</translation>
    </message>
    <message>
        <source>What you write is sent to this server.</source>
        <translation>所写的内容会发送到此服务器。</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>It runs on this machine, directly from the file; nothing is sent anywhere.</source>
        <translation>它在本机上直接从文件运行；不会发送任何内容。</translation>
    </message>
    <message>
        <source>V cache</source>
        <translation>V 缓存</translation>
    </message>
    <message>
        <source>Download…</source>
        <translation>下载…</translation>
    </message>
    <message>
        <source>How the KV cache is stored: f16 is the default, q8_0 takes half of that, q4_0 a quarter; f32 is exact. Keys are more sensitive to low precision than values</source>
        <translation>KV 缓存的存储方式：默认 f16，q8_0 占其一半，q4_0 占四分之一；f32 是精确的。键比值对低精度更敏感</translation>
    </message>
    <message>
        <source>Type of the K cache</source>
        <translation>K 缓存的类型</translation>
    </message>
    <message>
        <source>Type of the V cache</source>
        <translation>V 缓存的类型</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>The number of physical cores is usually best: more threads compete for memory bandwidth</source>
        <translation>通常物理核心数最佳：更多线程会争用内存带宽</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>What runs the model</source>
        <translation>运行模型的引擎</translation>
    </message>
    <message>
        <source>K cache</source>
        <translation>K 缓存</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>mapped from the file</source>
        <translation>从文件映射</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>independent of the context</source>
        <translation>与上下文无关</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>activations, norms, logits</source>
        <translation>激活、归一化、logits</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Free memory</source>
        <translation>可用内存</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LocalServer</name>
    <message>
        <source>llama-server cannot be started: no port of this computer is free</source>
        <translation>无法启动 llama-server：本机没有空闲端口</translation>
    </message>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
    <message>
        <source>llama-server has crashed</source>
        <translation>llama-server 已崩溃</translation>
    </message>
    <message>
        <source>llama-server has ended with code %1</source>
        <translation>llama-server 已退出，退出码 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LockStepModel</name>
    <message>
        <source>%1, differs from the reference</source>
        <translation>%1，与参照不同</translation>
    </message>
    <message>
        <source>Position in the text, from 0</source>
        <translation>在文本中的位置，从 0 开始</translation>
    </message>
    <message>
        <source>The next token: from the given text, or the reference&apos;s most likely one</source>
        <translation>下一个词元：来自给定文本，或为参照最可能的词元</translation>
    </message>
    <message>
        <source>KL divergence of %1 from the reference, in nats, at least: the server reports its most likely tokens, and all others count as one</source>
        <translation>%1 与参照的 KL 散度下限，以 nat 为单位：服务器只给出最可能的词元，其余词元合为一个计算</translation>
    </message>
    <message>
        <source>KL divergence of %1 from the reference, in nats</source>
        <translation>%1 与参照的 KL 散度，以 nat 为单位</translation>
    </message>
    <message>
        <source>The most likely token of %1, and its probability</source>
        <translation>%1 最可能的词元及其概率</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>KL, nats</source>
        <translation>KL，nat</translation>
    </message>
    <message>
        <source>Token %1 is &lt;tt&gt;%2&lt;/tt&gt;</source>
        <translation>词元 %1 是 &lt;tt&gt;%2&lt;/tt&gt;</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LockStepPage</name>
    <message>
        <source>first difference at token %1</source>
        <translation>第一处差异在词元 %1</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;: same most likely token %2 %, KL divergence at least: mean %3, largest %4 nats at token %5 (from its most likely tokens; all others count as one), %6</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;：最可能的词元相同 %2%，KL 散度下限：平均 %3，最大 %4 nat，在词元 %5（由其最可能的词元得出；其余合为一个计算），%6</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;: same most likely token %2 %, KL divergence mean %3, largest %4 nats at token %5, %6</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;：最可能的词元相同 %2%，KL 散度平均 %3，最大 %4 nat，在词元 %5，%6</translation>
    </message>
    <message>
        <source>Figures of the run</source>
        <translation>运行的数值</translation>
    </message>
    <message>
        <source>Once upon a time</source>
        <translation>很久很久以前</translation>
    </message>
    <message>
        <source>The text for all files</source>
        <translation>所有文件的文本</translation>
    </message>
    <message>
        <source>The text for all files; control tokens are written as &lt;s&gt; and so on. Ctrl+Enter runs.</source>
        <translation>所有文件的文本；控制词元写作 &lt;s&gt; 等。Ctrl+Enter 运行。</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Tokens to generate</source>
        <translation>要生成的词元数</translation>
    </message>
    <message>
        <source>The number of tokens that the reference generates after the text; the other files evaluate the same tokens</source>
        <translation>参照在文本之后生成的词元数；其他文件计算相同的词元</translation>
    </message>
    <message>
        <source>First difference</source>
        <translation>第一处差异</translation>
    </message>
    <message>
        <source>Go to the first position at which a file&apos;s most likely token differs from the reference&apos;s</source>
        <translation>转到文件最可能的词元与参照首次不同的位置</translation>
    </message>
    <message>
        <source>Evaluate the text, then generate</source>
        <translation>计算文本，然后生成</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>divergence</source>
        <translation>散度</translation>
    </message>
    <message>
        <source>Figures as &amp;CSV…</source>
        <translation>将数值存为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Text: %1</source>
        <translation>文本：%1</translation>
    </message>
    <message>
        <source>first difference</source>
        <translation>第一处差异</translation>
    </message>
    <message>
        <source>end of the given text</source>
        <translation>给定文本的结尾</translation>
    </message>
    <message>
        <source>Tokens of all files by position</source>
        <translation>所有文件的词元，按位置</translation>
    </message>
    <message>
        <source>Most likely tokens of all files at the selected position</source>
        <translation>所选位置上所有文件最可能的词元</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>%1 is on a server: download it to run it.</source>
        <translation>%1 位于服务器上：下载后才能运行。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Stop after the current token and keep the results</source>
        <translation>在当前词元之后停止，并保留结果</translation>
    </message>
    <message>
        <source>Load all files and run them on the text, token by token</source>
        <translation>加载所有文件，并在文本上逐个词元运行</translation>
    </message>
    <message>
        <source>The files cannot be run on the same text</source>
        <translation>这些文件无法在同一文本上运行</translation>
    </message>
    <message>
        <source>Loading the files</source>
        <translation>正在加载文件</translation>
    </message>
    <message>
        <source>Results appear token by token.</source>
        <translation>结果逐个词元显示。</translation>
    </message>
    <message>
        <source>Where do they diverge?</source>
        <translation>它们在哪里出现分歧？</translation>
    </message>
    <message>
        <source>All files evaluate the same text token by token. The table shows each file&apos;s most likely next token and the divergence of its probabilities from the reference, which continues the text. The files must have the same vocabulary.</source>
        <translation>所有文件逐个词元计算同一文本。表格显示每个文件最可能的下一个词元，以及其概率与参照的散度；文本由参照继续。各文件的词表必须相同。</translation>
    </message>
    <message>
        <source>the text of Side by Side</source>
        <translation>“并排”的文本</translation>
    </message>
    <message>
        <source>a server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Compare a server that runs the reference&apos;s model, too</source>
        <translation>也比较运行参照模型的服务器</translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation>服务器的地址</translation>
    </message>
    <message>
        <source>A llama-server that runs the reference&apos;s model. It receives the text and one request for each token.</source>
        <translation>运行参照模型的 llama-server。它会收到文本，并为每个词元收到一次请求。</translation>
    </message>
    <message>
        <source>Key of the server</source>
        <translation>服务器的密钥</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>It is sent to this address only. If it is empty, the key is used that the Run page knows.</source>
        <translation>它只发送到此地址。如为空，则使用“运行”页面已知的密钥。</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Also run the reference with</source>
        <translation>另用以下引擎运行参照</translation>
    </message>
    <message>
        <source>Also run the reference with %1, in a separate process</source>
        <translation>另用 %1 在单独的进程中运行参照</translation>
    </message>
    <message>
        <source>%1 is not available: %2</source>
        <translation>%1 不可用：%2</translation>
    </message>
    <message>
        <source>&amp;Which tensor did it?</source>
        <translation>是哪个张量造成的？(&amp;W)</translation>
    </message>
    <message>
        <source>Swap tensors between the files and see which of them change this prediction</source>
        <translation>在各文件之间替换张量，查看哪些张量会改变此预测</translation>
    </message>
    <message>
        <source>token %1, %2</source>
        <translation>词元 %1，%2</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LockStepPlot</name>
    <message>
        <source>KL divergence at each position of the text</source>
        <translation>文本各位置的 KL 散度</translation>
    </message>
    <message>
        <source>KL divergence, nats</source>
        <translation>KL 散度，nat</translation>
    </message>
    <message>
        <source>position in the text</source>
        <translation>在文本中的位置</translation>
    </message>
    <message>
        <source>Token %1: %2</source>
        <translation>词元 %1：%2</translation>
    </message>
    <message>
        <source>%1: %2 nats, %3</source>
        <translation>%1：%2 nat，%3</translation>
    </message>
</context>
<context>
    <name>gufo::ui::LockStepRun</name>
    <message>
        <source>%1: the models have no common vocabulary</source>
        <translation>%1：各模型没有共同的词表</translation>
    </message>
    <message>
        <source>the text has no tokens to predict</source>
        <translation>文本没有可预测的词元</translation>
    </message>
    <message>
        <source>the text has no tokens</source>
        <translation>文本没有词元</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MainWindow</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>New &amp;Tab</source>
        <translation>新建标签页(&amp;T)</translation>
    </message>
    <message>
        <source>New &amp;Window</source>
        <translation>新建窗口(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open A&amp;ddress…</source>
        <translation>打开地址(&amp;D)…</translation>
    </message>
    <message>
        <source>Down&amp;loads…</source>
        <translation>下载列表(&amp;L)…</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>Co&amp;mpare With…</source>
        <translation>与其他模型比较(&amp;M)…</translation>
    </message>
    <message>
        <source>Run Side b&amp;y Side…</source>
        <translation>并排运行(&amp;Y)…</translation>
    </message>
    <message>
        <source>Reopen &amp;Closed Tab</source>
        <translation>重新打开关闭的标签页(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save with Opt&amp;ions…</source>
        <translation>按选项保存(&amp;I)…</translation>
    </message>
    <message>
        <source>Export Comparison as &amp;HTML Report…</source>
        <translation>将比较导出为 HTML 报告(&amp;H)…</translation>
    </message>
    <message>
        <source>Export Comparison as &amp;JSON…</source>
        <translation>将比较导出为 JSON(&amp;J)…</translation>
    </message>
    <message>
        <source>Export Comparison as CS&amp;V…</source>
        <translation>将比较导出为 CSV(&amp;V)…</translation>
    </message>
    <message>
        <source>Restore Last &amp;Session</source>
        <translation>恢复上次会话(&amp;S)</translation>
    </message>
    <message>
        <source>Restore Session at St&amp;art</source>
        <translation>启动时恢复会话(&amp;A)</translation>
    </message>
    <message>
        <source>Close Ta&amp;b</source>
        <translation>关闭标签页(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Re&amp;view Changes…</source>
        <translation>检查更改(&amp;V)…</translation>
    </message>
    <message>
        <source>Rever&amp;t All Changes…</source>
        <translation>还原所有更改(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Copy as Text</source>
        <translation>复制为文本(&amp;C)</translation>
    </message>
    <message>
        <source>Copy as &amp;TSV</source>
        <translation>复制为 TSV(&amp;T)</translation>
    </message>
    <message>
        <source>Copy as &amp;Markdown</source>
        <translation>复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>查找(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Sidebar</source>
        <translation>侧边栏(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Full Screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>语言(&amp;G)</translation>
    </message>
    <message>
        <source>Zoom &amp;In on the Plot</source>
        <translation>放大图表(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;Out of the Plot</source>
        <translation>缩小图表(&amp;O)</translation>
    </message>
    <message>
        <source>Show the &amp;Whole Plot</source>
        <translation>显示整个图表(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Next Tab</source>
        <translation>下一个标签页(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous Tab</source>
        <translation>上一个标签页(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;List of Tabs…</source>
        <translation>标签页列表(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>重新加载(&amp;R)</translation>
    </message>
    <message>
        <source>Open Containing &amp;Folder</source>
        <translation>打开所在文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Copy File &amp;Path</source>
        <translation>复制文件路径(&amp;P)</translation>
    </message>
    <message>
        <source>Do&amp;wnload…</source>
        <translation>下载(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Verify Against Original…</source>
        <translation>与原始文件核对(&amp;V)…</translation>
    </message>
    <message>
        <source>&amp;Go to Key, Tensor, Token, Page or Command…</source>
        <translation>转到键、张量、词元、页面或命令(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Quantise…</source>
        <translation>量化(&amp;Q)…</translation>
    </message>
    <message>
        <source>C&amp;onvert to GGUF…</source>
        <translation>转换为 GGUF(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Split into Several Files…</source>
        <translation>拆分为多个文件(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Merge into One File…</source>
        <translation>合并为一个文件(&amp;M)…</translation>
    </message>
    <message>
        <source>Merge LoRA &amp;Adapters…</source>
        <translation>合并 LoRA 适配器(&amp;A)…</translation>
    </message>
    <message>
        <source>Measure an &amp;Importance Matrix…</source>
        <translation>测量重要性矩阵(&amp;I)…</translation>
    </message>
    <message>
        <source>Measure &amp;Perplexity over a Text…</source>
        <translation>测量文本的困惑度(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Clear Recent Files</source>
        <translation>清空最近文件列表(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Guide to This Page</source>
        <translation>本页指南(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Chapters</source>
        <translation>章节(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Gufo</source>
        <translation>关于 Gufo(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Gufo speaks the chosen language from its next start on.</source>
        <translation>Gufo 下次启动时使用所选语言。</translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation>没有最近的文件</translation>
    </message>
    <message>
        <source>%1 (unsaved changes)</source>
        <translation>%1（有未保存的更改）</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>%1[*] — Gufo</source>
        <translation>%1[*] — Gufo</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n threads</source>
        <translation>
            <numerusform>%1，%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>Undone: %1</source>
        <translation>已撤销：%1</translation>
    </message>
    <message>
        <source>Redone: %1</source>
        <translation>已重做：%1</translation>
    </message>
    <message>
        <source>Nothing to copy here</source>
        <translation>此处没有可复制的内容</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message numerus="yes">
        <source>Copied %n lines</source>
        <translation>
            <numerusform>已复制 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models were opened together.</source>
        <translation>
            <numerusform>已一起打开 %n 个模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare these</source>
        <translation>比较这些模型</translation>
    </message>
    <message>
        <source>Copy %1 from %2</source>
        <translation>从 %2 复制 %1</translation>
    </message>
    <message>
        <source>Searching for models…</source>
        <translation>正在搜索模型…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>There is no model file in %1 or the folders below it.</source>
        <translation>%1 及其子文件夹中没有模型文件。</translation>
    </message>
    <message numerus="yes">
        <source>Open %n models, each in a tab of its own?</source>
        <translation>
            <numerusform>打开 %n 个模型，每个使用单独的标签页？</numerusform>
        </translation>
    </message>
    <message>
        <source>Open all</source>
        <translation>全部打开</translation>
    </message>
    <message>
        <source>Compare with %1</source>
        <translation>与 %1 比较</translation>
    </message>
    <message>
        <source>Add to the comparison</source>
        <translation>添加到比较</translation>
    </message>
    <message>
        <source>Open models</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Close Tab</source>
        <translation>关闭标签页</translation>
    </message>
    <message>
        <source>Close Other Tabs</source>
        <translation>关闭其他标签页</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Copy File Path</source>
        <translation>复制文件路径</translation>
    </message>
    <message>
        <source>Ready to Pu&amp;blish…</source>
        <translation>发布前检查(&amp;B)…</translation>
    </message>
    <message>
        <source>Copy Repor&amp;t</source>
        <translation>复制报告(&amp;T)</translation>
    </message>
    <message>
        <source>Check Pai&amp;ring…</source>
        <translation>检查配对(&amp;R)…</translation>
    </message>
    <message>
        <source>Quantise for a Si&amp;ze…</source>
        <translation>按目标大小量化(&amp;Z)…</translation>
    </message>
    <message>
        <source>Checking …</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Sur&amp;gery…</source>
        <translation>模型改造(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Audit Template</source>
        <translation>审计模板(&amp;A)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MapGrid</name>
    <message>
        <source>expert %1</source>
        <translation>专家 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MapLegend</name>
    <message>
        <source>Colour scale: 2 to 8.5 bits per weight; not quantised: %1</source>
        <translation>色标：每权重 2 到 8.5 位；未量化：%1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>bits/weight</source>
        <translation>位/权重</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MapPage</name>
    <message>
        <source>Quality map</source>
        <translation>质量分布图</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Same scale</source>
        <translation>统一刻度</translation>
    </message>
    <message>
        <source>Use one colour scale for all files instead of one for each</source>
        <translation>所有文件使用同一色标，而不是各用一个</translation>
    </message>
    <message>
        <source>Norms and biases</source>
        <translation>归一化和偏置</translation>
    </message>
    <message>
        <source>Also show roles without matrices</source>
        <translation>也显示没有矩阵的角色</translation>
    </message>
    <message>
        <source>Colours of the map</source>
        <translation>分布图的颜色</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation>Cividis</translation>
    </message>
    <message>
        <source>quality-map</source>
        <translation>质量分布图</translation>
    </message>
    <message>
        <source>Figures as &amp;CSV…</source>
        <translation>将数值存为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>What the figures do not show</source>
        <translation>数值未能反映的内容</translation>
    </message>
    <message>
        <source>No tensor in common</source>
        <translation>没有共同的张量</translation>
    </message>
    <message>
        <source>The files have different architectures (%1), so their tensors cannot be compared. Their metadata can.</source>
        <translation>这些文件的架构不同（%1），因此无法比较其张量。可以比较其元数据。</translation>
    </message>
    <message>
        <source>The files have no tensors with the same name and shape, so their tensors cannot be compared. Their metadata can.</source>
        <translation>这些文件没有名称和形状相同的张量，因此无法比较其张量。可以比较其元数据。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors, by block and role</source>
        <translation>
            <numerusform>%n 个张量，按块和角色</numerusform>
        </translation>
    </message>
    <message>
        <source>Behaviour (KL, nats)</source>
        <translation>行为 (KL, nat)</translation>
    </message>
    <message>
        <source>What the map is coloured by: the error of the weights, or what it does to the answers</source>
        <translation>分布图着色的依据：权重的误差，或误差对回答的影响</translation>
    </message>
    <message>
        <source>behaviour</source>
        <translation>行为</translation>
    </message>
    <message>
        <source>Text: %1</source>
        <translation>文本：%1</translation>
    </message>
    <message>
        <source>What each tensor changes in the answers</source>
        <translation>每个张量使回答产生的变化</translation>
    </message>
    <message>
        <source>%1: swapped together</source>
        <translation>%1：一起替换</translation>
    </message>
    <message>
        <source>%1: KL swapped in (nats)</source>
        <translation>%1：换入的 KL (nat)</translation>
    </message>
    <message>
        <source>%1: KL restored (nats)</source>
        <translation>%1：恢复的 KL (nat)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MapSection</name>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation>Cividis</translation>
    </message>
    <message>
        <source>Colours of the map</source>
        <translation>热力图的颜色</translation>
    </message>
    <message>
        <source>Full screen (F); Escape returns</source>
        <translation>全屏 (F)；按 Esc 返回</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>rows %1, columns %2</source>
        <translation>行 %1，列 %2</translation>
    </message>
    <message>
        <source>; lines every %1 and %2</source>
        <translation>；每 %1 和 %2 一条线</translation>
    </message>
    <message>
        <source>; lines every %1</source>
        <translation>；每 %1 一条线</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>weight, %1</source>
        <translation>权重，%1</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>正在解码</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MeasuredText</name>
    <message>
        <source>This file has no model that can run.</source>
        <translation>此文件没有可运行的模型。</translation>
    </message>
    <message>
        <source>This model embeds texts and does not predict them, so this cannot be measured.</source>
        <translation>此模型用于嵌入文本而不预测文本，因此无法测量。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Memory</name>
    <message>
        <source>Parts of the model are missing from the file, so it needs more than these figures say.</source>
        <translation>文件缺少模型的一部分，因此所需内存多于这些数值。</translation>
    </message>
    <message>
        <source>Would fit into the %1 of free memory, but the model cannot be run.</source>
        <translation>可放入 %1 的可用内存，但该模型无法运行。</translation>
    </message>
    <message>
        <source>Fits into the %1 of free memory.</source>
        <translation>可放入 %1 的可用内存。</translation>
    </message>
    <message numerus="yes">
        <source>Fits into the %1 of free memory with the full trained context of %n tokens.</source>
        <translation>
            <numerusform>可放入 %1 的可用内存，包括 %n 个词元的完整训练上下文。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Fits into the %1 of free memory, up to a context of %n tokens.</source>
        <translation>
            <numerusform>可放入 %1 的可用内存，上下文最多 %n 个词元。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Needs %1 more than the %2 of free memory: parts of the file will be read from the disk again for every token, which is slow. A context of %n tokens would fit.</source>
        <translation>
            <numerusform>可用内存为 %2，还差 %1：每个词元都要重新从磁盘读取文件的部分内容，速度会很慢。可以容纳 %n 个词元的上下文。</numerusform>
        </translation>
    </message>
    <message>
        <source>The weights do not fit into the %1 of free memory: parts of the file will be read from the disk again for every token, which is slow.</source>
        <translation>权重放不进 %1 的可用内存：每个词元都要重新从磁盘读取文件的部分内容，速度会很慢。</translation>
    </message>
    <message>
        <source>KV cache and buffers need %1, but only %2 are free.</source>
        <translation>KV 缓存和缓冲区需要 %1，但只有 %2 可用。</translation>
    </message>
    <message numerus="yes">
        <source>A context of %n tokens would fit.</source>
        <translation>
            <numerusform>可以容纳 %n 个词元的上下文。</numerusform>
        </translation>
    </message>
    <message>
        <source>Even the shortest context does not fit; close other programs.</source>
        <translation>即使最短的上下文也放不下；请关闭其他程序。</translation>
    </message>
    <message>
        <source>%1 per token past the sliding windows</source>
        <translation>超出滑动窗口后每个词元 %1</translation>
    </message>
    <message>
        <source>%1 per token</source>
        <translation>每个词元 %1</translation>
    </message>
    <message>
        <source>An estimate, because the model cannot be run: %1.</source>
        <translation>估算值，因为该模型无法运行：%1。</translation>
    </message>
    <message>
        <source>An estimate, because Gufo&apos;s engine cannot run this model: %1.</source>
        <translation>估算值，因为 Gufo 的引擎无法运行此模型：%1。</translation>
    </message>
    <message>
        <source>The memory is estimated from the keys of GGUF, which this file does not have.</source>
        <translation>内存根据 GGUF 的键估算，而此文件没有这些键。</translation>
    </message>
    <message>
        <source>The memory cannot be estimated: %1.</source>
        <translation>无法估算内存：%1。</translation>
    </message>
    <message>
        <source>This file contains no weights.</source>
        <translation>此文件不含权重。</translation>
    </message>
    <message>
        <source>This file is not a complete model and cannot be run on its own.</source>
        <translation>此文件不是完整的模型，无法单独运行。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MemoryBar</name>
    <message>
        <source>Memory needed and memory of this machine</source>
        <translation>所需内存与本机内存</translation>
    </message>
    <message>
        <source>%1 in use</source>
        <translation>已用 %1</translation>
    </message>
    <message>
        <source>%1 of memory</source>
        <translation>内存 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MemoryPanel</name>
    <message>
        <source>Type of the K cache</source>
        <translation>K 缓存的类型</translation>
    </message>
    <message>
        <source>Type of the V cache</source>
        <translation>V 缓存的类型</translation>
    </message>
    <message>
        <source>K cache</source>
        <translation>K 缓存</translation>
    </message>
    <message>
        <source>V cache</source>
        <translation>V 缓存</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Memory needed to run</source>
        <translation>运行所需内存</translation>
    </message>
    <message>
        <source>mapped from the file</source>
        <translation>从文件映射</translation>
    </message>
    <message>
        <source>independent of the context</source>
        <translation>与上下文无关</translation>
    </message>
    <message>
        <source>batch %1, logits</source>
        <translation>批大小 %1，logits</translation>
    </message>
    <message>
        <source>%1 needed. %2</source>
        <translation>需要 %1。%2</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MergeModel</name>
    <message>
        <source>Rank</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Result id</source>
        <translation>结果 ID</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MergeSetDialog</name>
    <message>
        <source>Merge %1</source>
        <translation>合并 %1</translation>
    </message>
    <message>
        <source>&amp;Merge…</source>
        <translation>合并(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Verify the tensor data</source>
        <translation>验证张量数据(&amp;V)</translation>
    </message>
    <message>
        <source>Reads the file again and compares the SHA-256 of all tensors</source>
        <translation>重新读取文件，并比较所有张量的 SHA-256</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>They become one file of %1.</source>
        <translation>它们会合为一个 %1 的文件。</translation>
    </message>
    <message>
        <source>Write the merged model</source>
        <translation>写出合并后的模型</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Stop merging %1?</source>
        <translation>停止合并 %1？</translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation>已写入的内容会被丢弃。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MessageRow</name>
    <message>
        <source>Tool calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>More options for this message</source>
        <translation>此消息的更多选项</translation>
    </message>
    <message>
        <source>Remove this message</source>
        <translation>移除此消息</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>The speaker; a template may support other roles</source>
        <translation>发言者；模板可能支持其他角色</translation>
    </message>
    <message>
        <source>Text of the message</source>
        <translation>消息的文本</translation>
    </message>
    <message>
        <source>Tool calls as JSON</source>
        <translation>工具调用，JSON 格式</translation>
    </message>
    <message>
        <source>Thoughts, passed as reasoning_content</source>
        <translation>思考，以 reasoning_content 传递</translation>
    </message>
    <message>
        <source>Move Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Tool Calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>No Text Is null</source>
        <translation>无文本时为 null</translation>
    </message>
    <message>
        <source>What the template receives as the content of a message that only calls tools: null or &quot;&quot;</source>
        <translation>对于只调用工具的消息，模板收到的内容：null 或 &quot;&quot;</translation>
    </message>
    <message>
        <source>Add a Picture&apos;s Placeholder</source>
        <translation>添加图片占位符</translation>
    </message>
    <message>
        <source>Remove a Picture&apos;s Placeholder</source>
        <translation>移除图片占位符</translation>
    </message>
    <message numerus="yes">
        <source>%n pictures</source>
        <translation>
            <numerusform>%n 张图片</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>无内容</translation>
    </message>
    <message>
        <source>Nothing: the content is &quot;&quot;</source>
        <translation>无内容：content 为 &quot;&quot;</translation>
    </message>
    <message>
        <source>Nothing: the content is null</source>
        <translation>无内容：content 为 null</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataDiffModel</name>
    <message>
        <source>%1, %2 differ</source>
        <translation>%1，%2 个不同</translation>
    </message>
    <message>
        <source>0 elements</source>
        <translation>0 个元素</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>other type</source>
        <translation>类型不同</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n missing</source>
        <translation>
            <numerusform>%n 个缺失</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new</source>
        <translation>
            <numerusform>%n 个新增</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other ids</source>
        <translation>
            <numerusform>%n 个 ID 不同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other scores</source>
        <translation>
            <numerusform>%n 个分数不同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other types</source>
        <translation>
            <numerusform>%n 个类型不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Tokenizer, token by token</source>
        <translation>分词器，逐个词元</translation>
    </message>
    <message>
        <source>%1 (reference)</source>
        <translation>%1（参照）</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataDiffPage</name>
    <message>
        <source>Filter keys</source>
        <translation>筛选键</translation>
    </message>
    <message>
        <source>Show equal keys</source>
        <translation>显示相同的键</translation>
    </message>
    <message>
        <source>Copy to…</source>
        <translation>复制到…</translation>
    </message>
    <message>
        <source>Copy the value to another file, as an edit of that model</source>
        <translation>将该值复制到另一个文件，作为对该模型的编辑</translation>
    </message>
    <message>
        <source>metadata-differences</source>
        <translation>元数据差异</translation>
    </message>
    <message>
        <source>Table as &amp;CSV…</source>
        <translation>将表格存为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Keys that differ</source>
        <translation>不同的键</translation>
    </message>
    <message>
        <source>Differences within the key</source>
        <translation>键内的差异</translation>
    </message>
    <message>
        <source>File compared with the reference</source>
        <translation>与参照比较的文件</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>The metadata is the same</source>
        <translation>元数据相同</translation>
    </message>
    <message>
        <source>Comparing metadata</source>
        <translation>正在比较元数据</translation>
    </message>
    <message>
        <source>All files have the same keys with the same values.</source>
        <translation>所有文件的键和值都相同。</translation>
    </message>
    <message>
        <source>Tokens of %1 and %2 that differ: the first %3</source>
        <translation>%1 与 %2 不同的词元：前 %3 个</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Id in %1</source>
        <translation>在 %1 中的 ID</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>在 %1 中</translation>
    </message>
    <message>
        <source>Score in %1</source>
        <translation>在 %1 中的分数</translation>
    </message>
    <message>
        <source>Type in %1</source>
        <translation>在 %1 中的类型</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 of %n elements differ</source>
        <translation>
            <numerusform>%1：%n 个元素中有 %2 个不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Index</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>All files have the same value</source>
        <translation>所有文件的值相同</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataEdits</name>
    <message>
        <source>&amp;Add key…</source>
        <translation>添加键(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Edit value</source>
        <translation>编辑值(&amp;E)</translation>
    </message>
    <message>
        <source>Re&amp;name…</source>
        <translation>重命名(&amp;N)…</translation>
    </message>
    <message>
        <source>C&amp;hoose token…</source>
        <translation>选择词元(&amp;H)…</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Load value from a file…</source>
        <translation>从文件加载值(&amp;L)…</translation>
    </message>
    <message>
        <source>Re&amp;vert this change</source>
        <translation>还原此更改(&amp;V)</translation>
    </message>
    <message>
        <source>De&amp;lete</source>
        <translation>删除(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Paste keys</source>
        <translation>粘贴键(&amp;P)</translation>
    </message>
    <message>
        <source>Keys can be moved only in the list, in file order and without a filter.</source>
        <translation>只有在列表中、按文件顺序且未筛选时，才能移动键。</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>类型(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy keys</source>
        <translation>复制键(&amp;C)</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>重命名 %1</translation>
    </message>
    <message>
        <source>Token for %1</source>
        <translation>%1 的词元</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>Change the type of %1</source>
        <translation>更改 %1 的类型</translation>
    </message>
    <message>
        <source>%1 keeps the type %2. %3</source>
        <translation>%1 仍为类型 %2。%3</translation>
    </message>
    <message>
        <source>%1 is unchanged: element %2 cannot be converted. %3</source>
        <translation>%1 没有更改：元素 %2 无法转换。%3</translation>
    </message>
    <message>
        <source>Converting</source>
        <translation>正在转换</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n keys</source>
        <translation>
            <numerusform>删除 %n 个键</numerusform>
        </translation>
    </message>
    <message>
        <source>Load %1 from a file</source>
        <translation>从文件加载 %1</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>There are no keys on the clipboard.</source>
        <translation>剪贴板上没有键。</translation>
    </message>
    <message>
        <source>another window</source>
        <translation>另一个窗口</translation>
    </message>
    <message>
        <source>This model cannot be edited.</source>
        <translation>此模型无法编辑。</translation>
    </message>
    <message>
        <source>Reading keys</source>
        <translation>正在读取键</translation>
    </message>
    <message>
        <source>All keys from %1 already exist with the same values.</source>
        <translation>%1 的所有键都已存在且值相同。</translation>
    </message>
    <message>
        <source>Import keys from %1</source>
        <translation>从 %1 导入键</translation>
    </message>
    <message numerus="yes">
        <source>Imported %n keys from %1</source>
        <translation>
            <numerusform>已从 %1 导入 %n 个键</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataModel</name>
    <message>
        <source>Added; not in the file</source>
        <translation>已添加；不在文件中</translation>
    </message>
    <message>
        <source>Was called %1</source>
        <translation>原名 %1</translation>
    </message>
    <message>
        <source>Was: %1 (%2)</source>
        <translation>原值：%1（%2）</translation>
    </message>
    <message>
        <source>Moved to another place</source>
        <translation>已移到其他位置</translation>
    </message>
    <message numerus="yes">
        <source>%n elements changed</source>
        <translation>
            <numerusform>%n 个元素已更改</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>添加 %1 个</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>移除 %1 个</translation>
    </message>
    <message>
        <source>The file contains this key twice. Runtimes read the first; this one can be deleted.</source>
        <translation>文件中有两个此键。运行时读取第一个；可以删除这一个。</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation>
            <numerusform>%n 个键</numerusform>
        </translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>%1, deleted</source>
        <translation>%1，已删除</translation>
    </message>
    <message>
        <source>Deleted: it is in the file until the changes are saved. Revert brings it back.</source>
        <translation>已删除：保存更改之前它仍在文件中。还原可将其恢复。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataPage</name>
    <message>
        <source>Filter by key, value or meaning</source>
        <translation>按键、值或含义筛选</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Add key…</source>
        <translation>添加键…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>All types</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>树</translation>
    </message>
    <message>
        <source>Keys by segment</source>
        <translation>按段分级的键</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Full keys in file order</source>
        <translation>按文件顺序的完整键名</translation>
    </message>
    <message>
        <source>Write all keys and values to a JSON file</source>
        <translation>将所有键和值写入 JSON 文件</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Keys and values</source>
        <translation>键和值</translation>
    </message>
    <message>
        <source>Copy &amp;value</source>
        <translation>复制值(&amp;V)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+V</source>
        <translation>Ctrl+Alt+V</translation>
    </message>
    <message>
        <source>Add a key with its value (Ins)</source>
        <translation>添加键及其值 (Ins)</translation>
    </message>
    <message>
        <source>Import keys and values from a file</source>
        <translation>从文件导入键和值</translation>
    </message>
    <message>
        <source>Filtering</source>
        <translation>正在筛选</translation>
    </message>
    <message>
        <source>No metadata</source>
        <translation>没有元数据</translation>
    </message>
    <message>
        <source>This file has no keys.</source>
        <translation>此文件没有键。</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>No key, value or meaning matches the filter.</source>
        <translation>没有键、值或含义符合筛选条件。</translation>
    </message>
    <message>
        <source>%1, %2 long, not saved yet</source>
        <translation>%1，长 %2，尚未保存</translation>
    </message>
    <message>
        <source>%1 at byte %2, %3 long</source>
        <translation>%1，位于字节 %2，长 %3</translation>
    </message>
    <message>
        <source>, in %1</source>
        <translation>，在 %1 中</translation>
    </message>
    <message>
        <source>Copy &amp;key</source>
        <translation>复制键(&amp;K)</translation>
    </message>
    <message>
        <source>Show &amp;bytes</source>
        <translation>显示字节(&amp;B)</translation>
    </message>
    <message>
        <source>Copy rows as &amp;text</source>
        <translation>将行复制为文本(&amp;T)</translation>
    </message>
    <message>
        <source>Copy rows as TS&amp;V</source>
        <translation>将行复制为 TSV(&amp;V)</translation>
    </message>
    <message>
        <source>Copy rows as &amp;Markdown</source>
        <translation>将行复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>正在复制</translation>
    </message>
    <message>
        <source>Export metadata</source>
        <translation>导出元数据</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>正在导出</translation>
    </message>
    <message>
        <source>Import keys from a file</source>
        <translation>从文件导入键</translation>
    </message>
    <message>
        <source>Metadata and models (*.json %1);;All files (*)</source>
        <translation>元数据和模型 (*.json %1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>The file contains this key twice; this one can only be deleted.</source>
        <translation>文件中有两个此键；这一个只能删除。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetadataView</name>
    <message>
        <source>Revert this change</source>
        <translation>还原此更改</translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation>
            <numerusform>%n 个键</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::Metric</name>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>dB</source>
        <translation>dB</translation>
    </message>
    <message>
        <source>higher is closer</source>
        <translation>越高越接近</translation>
    </message>
    <message>
        <source>Signal to quantisation noise by block and role</source>
        <translation>信号与量化噪声之比，按块和角色</translation>
    </message>
    <message>
        <source>NMSE</source>
        <translation>NMSE</translation>
    </message>
    <message>
        <source>lower is closer</source>
        <translation>越低越接近</translation>
    </message>
    <message>
        <source>Normalised mean squared error by block and role</source>
        <translation>归一化均方误差，按块和角色</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>RMSE</translation>
    </message>
    <message>
        <source>Root mean square error by block and role</source>
        <translation>均方根误差，按块和角色</translation>
    </message>
    <message>
        <source>Mean error</source>
        <translation>平均误差</translation>
    </message>
    <message>
        <source>Mean absolute error by block and role</source>
        <translation>平均绝对误差，按块和角色</translation>
    </message>
    <message>
        <source>Max error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>Largest error by block and role</source>
        <translation>最大误差，按块和角色</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Cosine similarity by block and role</source>
        <translation>余弦相似度，按块和角色</translation>
    </message>
    <message>
        <source>Equal weights</source>
        <translation>相等权重</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>Share of equal weights by block and role</source>
        <translation>相等权重的占比，按块和角色</translation>
    </message>
    <message>
        <source>Weighted SQNR</source>
        <translation>加权 SQNR</translation>
    </message>
    <message>
        <source>SQNR weighted by the importance matrix, by block and role</source>
        <translation>以重要性矩阵加权的 SQNR，按块和角色</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>bits/weight</source>
        <translation>位/权重</translation>
    </message>
    <message>
        <source>Bits per weight by block and role</source>
        <translation>每权重位数，按块和角色</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Tensor type by block and role</source>
        <translation>张量类型，按块和角色</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>nat</translation>
    </message>
    <message>
        <source>Mean KL divergence of the predictions</source>
        <translation>预测的平均 KL 散度</translation>
    </message>
</context>
<context>
    <name>gufo::ui::MetricLegend</name>
    <message>
        <source>Colour scale: %1 from %2 to %3 %4</source>
        <translation>色标：%1，从 %2 到 %3 %4</translation>
    </message>
    <message>
        <source>A corner marks figures that leave weights out</source>
        <translation>角标表示数值未计入部分权重</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>无法比较</translation>
    </message>
    <message>
        <source>weights left out</source>
        <translation>未计入部分权重</translation>
    </message>
    <message>
        <source>lowest of each</source>
        <translation>各自最低</translation>
    </message>
    <message>
        <source>highest of each</source>
        <translation>各自最高</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ModelCard</name>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Memory, %1 tokens of context</source>
        <translation>内存，上下文 %1 个词元</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Sampling defaults</source>
        <translation>采样默认值</translation>
    </message>
    <message>
        <source>About the model</source>
        <translation>关于模型</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Organisation</source>
        <translation>组织</translation>
    </message>
    <message>
        <source>Base models</source>
        <translation>基础模型</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Trained context</source>
        <translation>训练上下文</translation>
    </message>
    <message>
        <source>Quantised by</source>
        <translation>量化者</translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation>重要性矩阵</translation>
    </message>
    <message>
        <source>%1 bits per weight</source>
        <translation>每权重 %1 位</translation>
    </message>
    <message>
        <source>Sizes and bits per weight</source>
        <translation>大小和每权重位数</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Block %1, %2: %3 bits per weight</source>
        <translation>块 %1，%2：每权重 %3 位</translation>
    </message>
    <message>
        <source>bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Bits per weight by block</source>
        <translation>各块的每权重位数</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>KL divergence: how far the predictions are from those of %1 on the text %2, in nats, on average over its tokens. Smaller is better.</source>
        <translation>KL 散度：在文本 %2 上，预测与 %1 的预测相差多远，单位为奈特，按词元平均。越小越好。</translation>
    </message>
    <message>
        <source>Architecture: %1</source>
        <translation>架构：%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ModelDocument</name>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Revert %1</source>
        <translation>还原 %1</translation>
    </message>
    <message>
        <source>Revert all changes</source>
        <translation>还原所有更改</translation>
    </message>
    <message>
        <source>Keep changes</source>
        <translation>保留更改</translation>
    </message>
    <message>
        <source>The tensors of this model are being changed.</source>
        <translation>此模型的张量正在更改。</translation>
    </message>
    <message>
        <source>This was opened through a folder, a list or a piece of it: to change a file, open that file itself.</source>
        <translation>它是通过文件夹、列表或其中一段打开的：要更改某个文件，请打开该文件本身。</translation>
    </message>
    <message>
        <source>In %1, only the texts of the metadata can be changed here.</source>
        <translation>在 %1 中，此处只能更改元数据的文本。</translation>
    </message>
    <message>
        <source>This is %1, which can be looked at, but not changed or written here: convert it to GGUF first.</source>
        <translation>这是%1，可以查看，但不能在此更改或写入：请先转换为 GGUF。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ModelStatus</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 v%2</source>
        <translation>%1 v%2</translation>
    </message>
    <message>
        <source>little-endian</source>
        <translation>小端</translation>
    </message>
    <message>
        <source>big-endian</source>
        <translation>大端</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <translation>
            <numerusform>%n 个键</numerusform>
        </translation>
    </message>
    <message>
        <source>Alignment %1</source>
        <translation>对齐 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n shards</source>
        <translation>
            <numerusform>%n 个分片中的 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shards</source>
        <translation>
            <numerusform>%n 个分片</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ModelTab</name>
    <message>
        <source>Not contacted</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Opened in %1; weights are fetched when they are looked at</source>
        <translation>打开用时 %1；权重在查看时获取</translation>
    </message>
    <message>
        <source>Opened in %1, mapped read-only</source>
        <translation>打开用时 %1，只读映射</translation>
    </message>
    <message>
        <source>A shard of this model is missing or cannot be read, so it cannot be edited.</source>
        <translation>此模型缺少一个分片或有分片无法读取，因此无法编辑。</translation>
    </message>
    <message>
        <source>This model is on %1: download it to change or save it.</source>
        <translation>此模型位于 %1：下载后才能更改或保存。</translation>
    </message>
    <message>
        <source>Could not be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>%1 has unsaved changes.</source>
        <translation>%1 有未保存的更改。</translation>
    </message>
    <message>
        <source>They can be reapplied to the current file.</source>
        <translation>可将它们重新应用到当前文件。</translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Discard them</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Read again, with the unsaved changes reapplied</source>
        <translation>已重新读取，并重新应用了未保存的更改</translation>
    </message>
    <message>
        <source>Read again: another program wrote into the file, but not other keys or tensors</source>
        <translation>已重新读取：另一个程序写入了该文件，但键和张量没有不同</translation>
    </message>
    <message>
        <source>The keys and the list of tensors are still those read before; the weights can no longer be read.</source>
        <translation>键和张量列表仍是先前读取的内容；权重无法再读取。</translation>
    </message>
    <message>
        <source>The version read before is still shown.</source>
        <translation>仍显示先前读取的版本。</translation>
    </message>
    <message>
        <source>Keep my changes</source>
        <translation>保留我的更改</translation>
    </message>
    <message>
        <source>Your unsaved changes are kept.</source>
        <translation>未保存的更改会保留。</translation>
    </message>
    <message>
        <source>This model is on %1. Saving it here needs all of it: %2 are downloaded first.</source>
        <translation>此模型位于 %1。在此保存需要整个模型：会先下载 %2。</translation>
    </message>
    <message>
        <source>Download…</source>
        <translation>下载…</translation>
    </message>
    <message>
        <source>A save of this file was interrupted. It has been undone: the file is as it was before the save.</source>
        <translation>此文件的一次保存曾中断，现已撤销：文件与保存之前相同。</translation>
    </message>
    <message>
        <source>A save of this file was interrupted. It has been completed: the file contains the changes.</source>
        <translation>此文件的一次保存曾中断，现已完成：文件含有更改。</translation>
    </message>
    <message>
        <source>Saved. %1</source>
        <translation>已保存。%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::NearestTokens</name>
    <message>
        <source>Nearest tokens</source>
        <translation>最相近的词元</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>A double click goes to the token</source>
        <translation>双击可转到该词元</translation>
    </message>
    <message>
        <source>Fetch %1</source>
        <translation>获取 %1</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Fetch all embeddings from %1, and compare them with that of this token</source>
        <translation>从 %1 获取全部嵌入，并与此词元的嵌入比较</translation>
    </message>
    <message>
        <source>Compare all embeddings with that of this token by the cosine</source>
        <translation>用余弦把全部嵌入与此词元的嵌入比较</translation>
    </message>
    <message>
        <source>Comparing embeddings</source>
        <translation>正在比较嵌入</translation>
    </message>
    <message>
        <source>not in the vocabulary</source>
        <translation>不在词表中</translation>
    </message>
    <message>
        <source>Its embedding is zero, or all others are.</source>
        <translation>它的嵌入为零，或其他嵌入全为零。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>gufo::ui::OffloadField</name>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Layers on the GPU</source>
        <translation>GPU 上的层数</translation>
    </message>
    <message>
        <source>The number of layers whose weights are in the memory of GPUs and of other machines</source>
        <translation>权重放在 GPU 和其他机器内存中的层数</translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation>其他机器</translation>
    </message>
    <message>
        <source>Machines that run llama.cpp&apos;s rpc-server and compute a part of the layers</source>
        <translation>运行 llama.cpp 的 rpc-server 并计算部分层的机器</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>GPU 层</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
</context>
<context>
    <name>gufo::ui::OpenAddressDialog</name>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Download…</source>
        <translation>下载(&amp;D)…</translation>
    </message>
    <message>
        <source>Open address</source>
        <translation>打开地址</translation>
    </message>
    <message>
        <source>&amp;Address of a model, or its name on a hub</source>
        <translation>模型的地址，或其在 Hub 上的名称(&amp;A)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&amp;List files</source>
        <translation>列出文件(&amp;L)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::OpenModelChoice</name>
    <message>
        <source>no model</source>
        <translation>没有模型</translation>
    </message>
</context>
<context>
    <name>gufo::ui::OpeningView</name>
    <message>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message>
        <source>Progress of opening</source>
        <translation>打开进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>gufo::ui::OriginCheckDialog</name>
    <message>
        <source>This is the file of the server: its SHA-256 is the same.</source>
        <translation>这就是服务器上的文件：SHA-256 相同。</translation>
    </message>
    <message>
        <source>Its header and random parts, %1 in all, are those of the server&apos;s file. Only the whole check proves that all of it is.</source>
        <translation>文件头和随机部分（共 %1）与服务器上的文件相同。只有完整检查才能证明全部相同。</translation>
    </message>
    <message>
        <source>This is another file: its size differs from that of the server&apos;s.</source>
        <translation>这是另一个文件：大小与服务器上的不同。</translation>
    </message>
    <message>
        <source>This is another file: it differs between byte %1 and byte %2.</source>
        <translation>这是另一个文件：在字节 %1 与字节 %2 之间不同。</translation>
    </message>
    <message>
        <source>This is another file: its SHA-256 differs from the one that the server states.</source>
        <translation>这是另一个文件：SHA-256 与服务器声明的不同。</translation>
    </message>
    <message>
        <source>&amp;Quick check: its size, its header and random parts</source>
        <translation>快速检查：大小、文件头和随机部分(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Whole check: the SHA-256 of all its bytes</source>
        <translation>完整检查：所有字节的 SHA-256(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Take its metadata, if the weights are the same</source>
        <translation>如果权重相同，则采用其元数据(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation>检查(&amp;C)</translation>
    </message>
    <message>
        <source>Compare %1 with its original</source>
        <translation>将 %1 与原始文件比较</translation>
    </message>
    <message>
        <source>Reads the whole file on this computer</source>
        <translation>读取本机上的整个文件</translation>
    </message>
    <message>
        <source>For uploads whose template or keys were corrected: the changes are shown before they are saved, and no weights are fetched</source>
        <translation>用于模板或键已更正的上传文件：保存前会显示更改，且不获取权重</translation>
    </message>
    <message>
        <source>&amp;Address of the original, or its name on a hub</source>
        <translation>原始文件的地址，或其在 Hub 上的名称(&amp;A)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>&amp;Compare metadata</source>
        <translation>比较元数据(&amp;C)</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Comparing with %1</source>
        <translation>正在与 %1 比较</translation>
    </message>
    <message numerus="yes">
        <source>All %n files: </source>
        <translation>
            <numerusform>全部 %n 个文件：</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the header on %1</source>
        <translation>正在读取 %1 上的文件头</translation>
    </message>
    <message>
        <source>The metadata is that of the server&apos;s file.</source>
        <translation>元数据与服务器上的文件相同。</translation>
    </message>
    <message>
        <source>The metadata differs, but the model cannot be changed now.</source>
        <translation>元数据不同，但目前无法更改模型。</translation>
    </message>
    <message>
        <source>Take the metadata of %1</source>
        <translation>采用 %1 的元数据</translation>
    </message>
    <message numerus="yes">
        <source>%n changes were made, which you can review, save or undo.</source>
        <translation>
            <numerusform>已作出 %n 项更改，可以检查、保存或撤销。</numerusform>
        </translation>
    </message>
    <message>
        <source>The changes were refused.</source>
        <translation>更改被拒绝。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::OriginReport</name>
    <message>
        <source>the permutation of the rows of each head</source>
        <translation>每个头内各行的置换</translation>
    </message>
    <message>
        <source>the reversed permutation of the rows of each head</source>
        <translation>每个头内各行的反向置换</translation>
    </message>
    <message>
        <source>adding %1</source>
        <translation>加 %1</translation>
    </message>
    <message>
        <source>the transposition</source>
        <translation>转置</translation>
    </message>
    <message>
        <source>the regrouping of rows</source>
        <translation>行的重新分组</translation>
    </message>
    <message>
        <source>the negative exponential</source>
        <translation>指数的负值</translation>
    </message>
    <message>
        <source>the reciprocal</source>
        <translation>倒数</translation>
    </message>
    <message numerus="yes">
        <source>This is that model, but %n tensors were written with a mistake, which is named below.</source>
        <translation>
            <numerusform>这是该模型，但有 %n 个张量写出有误，详见下文。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This is that model: all of %n tensors are %1.</source>
        <translation>
            <numerusform>这就是该模型：全部 %n 个张量%1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The weights are those of that model, but %n keys differ.</source>
        <translation>
            <numerusform>权重属于该模型，但有 %n 个键不同。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This is that model but for %n tensors: %1 of %2 are %3%4.</source>
        <translation>
            <numerusform>除 %n 个张量外，这就是该模型：%2 个中有 %1 个%3%4。</numerusform>
        </translation>
    </message>
    <message>
        <source>Only a part is that model: %1 of %2 tensors are the same.</source>
        <translation>只有一部分属于该模型：%2 个张量中有 %1 个相同。</translation>
    </message>
    <message>
        <source>This is not that model: %1 of %2 tensors are the same.</source>
        <translation>这不是该模型：%2 个张量中有 %1 个相同。</translation>
    </message>
    <message>
        <source>Missing in the file: %1 (%2)</source>
        <translation>文件中缺少：%1（%2）</translation>
    </message>
    <message>
        <source>Only in the file: %1 (%2)</source>
        <translation>仅在文件中：%1（%2）</translation>
    </message>
    <message>
        <source>Of another shape: %1 (%2)</source>
        <translation>形状不同：%1（%2）</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>identical as %1</source>
        <translation>以 %1 表示时相同</translation>
    </message>
    <message>
        <source>identical but for the last bit</source>
        <translation>除最后一位外相同</translation>
    </message>
    <message>
        <source>error of %1</source>
        <translation>误差 %1</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>missing in the file</source>
        <translation>文件中缺少</translation>
    </message>
    <message>
        <source>only in the file</source>
        <translation>仅在文件中</translation>
    </message>
    <message>
        <source>other shape</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>not readable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>identical after rounding to %1</source>
        <translation>舍入为 %1 后相同</translation>
    </message>
    <message>
        <source>; %1 differs by %2 %</source>
        <translation>；%1 相差 %2%</translation>
    </message>
    <message>
        <source>; %1 differs</source>
        <translation>；%1 不同</translation>
    </message>
    <message>
        <source>%1 identical (%2)</source>
        <translation>%1 个相同（%2）</translation>
    </message>
    <message>
        <source>%1 identical after rounding to %2</source>
        <translation>%1 个舍入为 %2 后相同</translation>
    </message>
    <message>
        <source>%1 identical but for the last bit of computed weights (%2)</source>
        <translation>%1 个除计算所得权重的最后一位外相同（%2）</translation>
    </message>
    <message>
        <source>%1 identical after quantisation to %2 (SQNR %3)</source>
        <translation>%1 个量化为 %2 后相同（SQNR %3）</translation>
    </message>
    <message>
        <source>%1 quantised to %2 in another way, with the error of that type (SQNR %3)</source>
        <translation>%1 个以其他方式量化为 %2，误差与该类型相称（SQNR %3）</translation>
    </message>
    <message>
        <source>The same: %1</source>
        <translation>相同：%1</translation>
    </message>
    <message>
        <source>Different: %1 (%2); together %3</source>
        <translation>不同：%1（%2）；合计 %3</translation>
    </message>
    <message>
        <source>The largest relative error is in %1: %2</source>
        <translation>最大相对误差在 %1：%2</translation>
    </message>
    <message>
        <source>%1: %2 of %3 blocks are as Gufo encodes them</source>
        <translation>%1：%3 个分块中有 %2 个与 Gufo 的编码一致</translation>
    </message>
    <message>
        <source>%1 holds the weights of %2</source>
        <translation>%1 含有 %2 的权重</translation>
    </message>
    <message>
        <source>%1: experts are exchanged: %2</source>
        <translation>%1：专家被互换：%2</translation>
    </message>
    <message>
        <source>Not readable: %1 (%2); %3</source>
        <translation>无法读取：%1（%2）；%3</translation>
    </message>
    <message numerus="yes">
        <source>The conversion leaves out %n tensors of the origin (%1).</source>
        <translation>
            <numerusform>转换会略去来源中的 %n 个张量（%1）。</numerusform>
        </translation>
    </message>
    <message>
        <source>Keys with another value than the conversion writes: %1 (%2)</source>
        <translation>值与转换所写不同的键：%1（%2）</translation>
    </message>
    <message>
        <source>Keys that the conversion writes and the file lacks: %1 (%2)</source>
        <translation>转换会写出而文件缺少的键：%1（%2）</translation>
    </message>
    <message>
        <source>Keys that only describe the model and differ: %1 (%2)</source>
        <translation>仅描述模型且不同的键：%1（%2）</translation>
    </message>
    <message>
        <source>equal without %1</source>
        <translation>不经%1时相同</translation>
    </message>
    <message>
        <source>equal if %1 is inverted</source>
        <translation>将%1反转后相同</translation>
    </message>
    <message>
        <source>equal with %1 applied twice</source>
        <translation>%1应用两次后相同</translation>
    </message>
    <message>
        <source>equal with %1, which this architecture does not need</source>
        <translation>经%1后相同，而此架构不需要它</translation>
    </message>
    <message>
        <source>holds the weights of expert %1</source>
        <translation>含有专家 %1 的权重</translation>
    </message>
    <message>
        <source>holds the weights of %1</source>
        <translation>含有 %1 的权重</translation>
    </message>
    <message>
        <source>equal if the weights are first rounded to %1</source>
        <translation>权重先舍入为 %1 时相同</translation>
    </message>
    <message>
        <source>; %1 has weights that are NaN or infinite (%2)</source>
        <translation>；%1 含有 NaN 或无穷大的权重（%2 个）</translation>
    </message>
</context>
<context>
    <name>gufo::ui::OriginVerdict</name>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>What the verdict is based on</source>
        <translation>结论的依据</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>The folder cannot be converted, so names are compared as they are.</source>
        <translation>该文件夹无法转换，因此按原样比较名称。</translation>
    </message>
    <message>
        <source>Some tensors have the weights of other tensors.</source>
        <translation>有些张量含有其他张量的权重。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Overview</name>
    <message>
        <source>size not known</source>
        <translation>大小未知</translation>
    </message>
    <message>
        <source>%1, also the output (tied)</source>
        <translation>%1，也用作输出（共享）</translation>
    </message>
    <message>
        <source>%1, %2 bits/weight</source>
        <translation>%1，%2 位/权重</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Block (%1)</source>
        <translation>块（%1）</translation>
    </message>
    <message>
        <source>%1–%2 by block</source>
        <translation>%1–%2，因块而异</translation>
    </message>
    <message numerus="yes">
        <source>%n experts</source>
        <translation>
            <numerusform>%n 个专家</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n experts, %1 used</source>
        <translation>
            <numerusform>%n 个专家，使用 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>recurrent</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>dense</source>
        <translation>稠密</translation>
    </message>
    <message numerus="yes">
        <source>%n blocks</source>
        <translation>
            <numerusform>%n 个块</numerusform>
        </translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>未声明</translation>
    </message>
    <message>
        <source>tokens, trained</source>
        <translation>词元，训练长度</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>licence text</source>
        <translation>许可证文本</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>基础模型</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>秩</translation>
    </message>
    <message numerus="yes">
        <source>%n adapted weights</source>
        <translation>
            <numerusform>%n 个适配的权重</numerusform>
        </translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>scale: alpha / rank</source>
        <translation>缩放：alpha / 秩</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>用于 %1</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>文本段</translation>
    </message>
    <message numerus="yes">
        <source>of %n tokens</source>
        <translation>
            <numerusform>每段 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>数据集</translation>
    </message>
    <message numerus="yes">
        <source>%n datasets</source>
        <translation>
            <numerusform>%n 个数据集</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %1 of %n files</source>
        <translation>
            <numerusform>位于 %n 个文件中的 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n files</source>
        <translation>
            <numerusform>在 %n 个文件中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation>
            <numerusform>%1 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>File size</source>
        <translation>文件大小</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Entries</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>Tokens read</source>
        <translation>已读词元</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>file type %1</source>
        <translation>文件类型 %1</translation>
    </message>
    <message>
        <source>Embedding length</source>
        <translation>嵌入长度</translation>
    </message>
    <message>
        <source>Feed-forward length</source>
        <translation>前馈长度</translation>
    </message>
    <message>
        <source>Expert feed-forward length</source>
        <translation>专家前馈长度</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Experts used</source>
        <translation>使用的专家</translation>
    </message>
    <message>
        <source>Shared experts</source>
        <translation>共享专家</translation>
    </message>
    <message>
        <source>Query heads</source>
        <translation>查询头</translation>
    </message>
    <message>
        <source>Key/value heads</source>
        <translation>键值头</translation>
    </message>
    <message>
        <source>Key head length</source>
        <translation>键头长度</translation>
    </message>
    <message>
        <source>Value head length</source>
        <translation>值头长度</translation>
    </message>
    <message>
        <source>Sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>RMS epsilon</source>
        <translation>RMS epsilon</translation>
    </message>
    <message>
        <source>Norm epsilon</source>
        <translation>归一化 epsilon</translation>
    </message>
    <message>
        <source>RoPE base</source>
        <translation>RoPE 基数</translation>
    </message>
    <message>
        <source>RoPE dimensions</source>
        <translation>RoPE 维度</translation>
    </message>
    <message>
        <source>RoPE scaling</source>
        <translation>RoPE 缩放</translation>
    </message>
    <message>
        <source>RoPE scaling factor</source>
        <translation>RoPE 缩放因子</translation>
    </message>
    <message>
        <source>State size</source>
        <translation>状态大小</translation>
    </message>
    <message>
        <source>State inner size</source>
        <translation>状态内部大小</translation>
    </message>
    <message>
        <source>Convolution kernel</source>
        <translation>卷积核</translation>
    </message>
    <message>
        <source>Time step rank</source>
        <translation>时间步的秩</translation>
    </message>
    <message>
        <source>WKV head size</source>
        <translation>WKV 头大小</translation>
    </message>
    <message>
        <source>tied to token_embd</source>
        <translation>与 token_embd 共享</translation>
    </message>
    <message>
        <source>own matrix</source>
        <translation>自有矩阵</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>LoRA adapter</source>
        <translation>LoRA 适配器</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation>重要性矩阵</translation>
    </message>
    <message>
        <source>Multimodal projector</source>
        <translation>多模态投影器</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
</context>
<context>
    <name>gufo::ui::OverviewPage</name>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Bits per weight by block and role</source>
        <translation>每权重位数，按块和角色</translation>
    </message>
    <message>
        <source>Bytes by tensor type</source>
        <translation>字节，按张量类型</translation>
    </message>
    <message>
        <source>The address comes from the file and has not been checked.</source>
        <translation>该地址来自文件，未经检查。</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Compare this model with others (Ctrl+Shift+D)</source>
        <translation>将此模型与其他模型比较 (Ctrl+Shift+D)</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>报告…</translation>
    </message>
    <message>
        <source>Write this overview and the findings to a file</source>
        <translation>将此概览和问题写入文件</translation>
    </message>
    <message>
        <source>Convert…</source>
        <translation>转换…</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Run this model</source>
        <translation>运行此模型</translation>
    </message>
    <message>
        <source>Write a report</source>
        <translation>写出报告</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Embed</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Make vectors of texts</source>
        <translation>由文本生成向量</translation>
    </message>
    <message>
        <source>Convert the weights to GGUF. Gufo does not run the code that the findings name.</source>
        <translation>将权重转换为 GGUF。Gufo 不会运行问题中所指出的代码。</translation>
    </message>
    <message>
        <source>Convert this model to GGUF</source>
        <translation>将此模型转换为 GGUF</translation>
    </message>
    <message>
        <source>A vocabulary without weights</source>
        <translation>没有权重的词表</translation>
    </message>
    <message>
        <source>No tensors in this file</source>
        <translation>此文件没有张量</translation>
    </message>
    <message>
        <source>This file contains only the vocabulary of a model. It is on the Tokenizer page.</source>
        <translation>此文件只含模型的词表，见“分词器”页面。</translation>
    </message>
    <message>
        <source>Its metadata is on the Metadata page.</source>
        <translation>其元数据见“元数据”页面。</translation>
    </message>
    <message>
        <source>No blocks in this file</source>
        <translation>此文件没有块</translation>
    </message>
    <message>
        <source>No tensor name belongs to a block, so there is no map. All tensors are on the Tensors page.</source>
        <translation>没有张量名称属于块，因此没有分布图。所有张量见“张量”页面。</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairHistograms</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Histogram of the weights</source>
        <translation>权重的直方图</translation>
    </message>
    <message>
        <source>Histogram of the errors</source>
        <translation>误差的直方图</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>weights per bin, log</source>
        <translation>每区间权重数，对数</translation>
    </message>
    <message>
        <source>Error: file − %1</source>
        <translation>误差：文件 − %1</translation>
    </message>
    <message>
        <source>Counting weights</source>
        <translation>正在统计权重</translation>
    </message>
    <message>
        <source>Counting errors</source>
        <translation>正在统计误差</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairList</name>
    <message>
        <source>Worst first</source>
        <translation>最差在前</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>筛选张量</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>By metric</source>
        <translation>按指标</translation>
    </message>
    <message>
        <source>Tensors that are farthest from the reference in any file first</source>
        <translation>在任一文件中离参照最远的张量在前</translation>
    </message>
    <message>
        <source>By share of error</source>
        <translation>按误差占比</translation>
    </message>
    <message>
        <source>Tensors with the largest share of the total error first</source>
        <translation>占总误差比例最大的张量在前</translation>
    </message>
    <message>
        <source>Tensors, the worst first</source>
        <translation>张量，最差在前</translation>
    </message>
    <message>
        <source>By %1</source>
        <translation>按 %1</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors, %1 without counterpart</source>
        <translation>
            <numerusform>%n 个张量，%1 个没有对应的张量</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairScatter</name>
    <message>
        <source>Counting pairs</source>
        <translation>正在统计权重对</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairStatisticsModel</name>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>RMSE</translation>
    </message>
    <message>
        <source>MAE</source>
        <translation>MAE</translation>
    </message>
    <message>
        <source>Max error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>at</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>NMSE</source>
        <translation>NMSE</translation>
    </message>
    <message>
        <source>SQNR dB</source>
        <translation>SQNR dB</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>相等</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairStatisticsTable</name>
    <message>
        <source>Figures of the tensor</source>
        <translation>张量的数值</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairTableModel</name>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>extra</source>
        <translation>多出</translation>
    </message>
    <message>
        <source>other shape</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Could not be compared</source>
        <translation>未能比较</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of the whole file on %2: %3</source>
        <translation>整个文件在 %2 上的 %1：%3</translation>
    </message>
    <message>
        <source>Share of the summed squared error of %1</source>
        <translation>占 %1 误差平方和的比例</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Share of error</source>
        <translation>误差占比</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Pairing</name>
    <message>
        <source>an adapter for the model</source>
        <translation>模型的适配器</translation>
    </message>
    <message>
        <source>a projector for the model</source>
        <translation>模型的投影器</translation>
    </message>
    <message>
        <source>an importance matrix for the model</source>
        <translation>模型的重要性矩阵</translation>
    </message>
    <message>
        <source>a model that drafts for the other</source>
        <translation>为另一个模型生成草稿的模型</translation>
    </message>
    <message>
        <source>prediction blocks for the model</source>
        <translation>模型的预测块</translation>
    </message>
    <message>
        <source>no pair</source>
        <translation>无法配对</translation>
    </message>
    <message>
        <source>They fit</source>
        <translation>两者匹配</translation>
    </message>
    <message>
        <source>They fit, with a limit</source>
        <translation>两者匹配，但有限制</translation>
    </message>
    <message>
        <source>They do not fit</source>
        <translation>两者不匹配</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PairingDialog</name>
    <message>
        <source>Check Pairing</source>
        <translation>检查配对</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Other file</source>
        <translation>另一个文件(&amp;O)</translation>
    </message>
    <message>
        <source>not chosen yet</source>
        <translation>尚未选择</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>One file is a model, the other a projector (mmproj), a LoRA adapter, an importance matrix, a smaller model that drafts, or prediction blocks. No weights are read.</source>
        <translation>一个文件是模型，另一个是投影器（mmproj）、LoRA 适配器、重要性矩阵、生成草稿的较小模型或预测块。不读取权重。</translation>
    </message>
    <message>
        <source>Choose the model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Choose the other file</source>
        <translation>选择另一个文件</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Choose two files.</source>
        <translation>请选择两个文件。</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>The files could not be compared</source>
        <translation>无法比较这两个文件</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PartTensorsModel</name>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PerplexityDialog</name>
    <message>
        <source>Perplexity of %1</source>
        <translation>%1 的困惑度</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>测量(&amp;M)</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>other model</source>
        <translation>另一个模型</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Evaluated together; the second half of each window is scored</source>
        <translation>一起计算；只对每个窗口的后半部分评分</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>文本(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Compare with</source>
        <translation>比较对象(&amp;C)</translation>
    </message>
    <message>
        <source>Perplexity says how well the model predicts the text: less is better.</source>
        <translation>困惑度衡量模型预测文本的准确程度：越低越好。</translation>
    </message>
    <message>
        <source>%1: %2. The KL divergence needs models of the same vocabulary.</source>
        <translation>%1：%2。KL 散度需要词表相同的模型。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Evaluating %1</source>
        <translation>正在计算 %1</translation>
    </message>
    <message>
        <source>Stop measuring %1?</source>
        <translation>停止测量 %1？</translation>
    </message>
    <message>
        <source>What was evaluated so far is discarded.</source>
        <translation>已计算的内容会被丢弃。</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Ratio of the perplexities</source>
        <translation>困惑度之比</translation>
    </message>
    <message>
        <source>KL divergence, mean (nats)</source>
        <translation>KL 散度，平均 (nat)</translation>
    </message>
    <message>
        <source>KL divergence, %1 % of the positions below (nats)</source>
        <translation>KL 散度，%1% 分位数 (nat)</translation>
    </message>
    <message>
        <source>KL divergence, largest (nats)</source>
        <translation>KL 散度，最大 (nat)</translation>
    </message>
    <message>
        <source>Change of the following token&apos;s probability, RMS</source>
        <translation>下一个词元概率的变化，RMS</translation>
    </message>
    <message>
        <source>Same most likely token</source>
        <translation>最可能的词元相同</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens of %1 were scored.</source>
        <translation>
            <numerusform>%1 中有 %n 个词元参与评分。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n tokens of the text fill no window and were left out.</source>
        <translation>
            <numerusform>文本的最后 %n 个词元不足一个窗口，已略去。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::PictureMenu</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>&amp;Copy as picture</source>
        <translation>复制为图片(&amp;C)</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Picture &amp;options…</source>
        <translation>图片选项(&amp;O)…</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PictureOptionsDialog</name>
    <message>
        <source>As large as in the window</source>
        <translation>与窗口中一样大</translation>
    </message>
    <message>
        <source>Picture Options</source>
        <translation>图片选项</translation>
    </message>
    <message>
        <source> px</source>
        <translation> 像素</translation>
    </message>
    <message>
        <source>Pixels of a PNG picture for each pixel of its size. SVG and PDF have no pixels.</source>
        <translation>PNG 图片中，尺寸的每个像素对应的实际像素数。SVG 和 PDF 没有像素。</translation>
    </message>
    <message>
        <source>As in the window</source>
        <translation>与窗口相同</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>宽度(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>高度(&amp;H)</translation>
    </message>
    <message>
        <source>PNG &amp;resolution</source>
        <translation>PNG 分辨率(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>颜色(&amp;C)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PlanKeyModel</name>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PlanTensorModel</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>±%1: %2</source>
        <comment>largest error of a weight: what is done</comment>
        <translation>±%1：%2</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已略去</translation>
    </message>
    <message>
        <source>no place</source>
        <translation>没有位置</translation>
    </message>
    <message>
        <source>the architecture has no such tensor</source>
        <translation>该架构没有这样的张量</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Playground</name>
    <message>
        <source>Special tokens</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>BOS</source>
        <translation>BOS</translation>
    </message>
    <message>
        <source>EOS</source>
        <translation>EOS</translation>
    </message>
    <message>
        <source>Ids</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Copy ids</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Type or paste a text to see its tokens</source>
        <translation>输入或粘贴文本以查看其词元</translation>
    </message>
    <message>
        <source>Text to tokenize</source>
        <translation>要分词的文本</translation>
    </message>
    <message>
        <source>Text such as &lt;s&gt; stands for the control token of that name</source>
        <translation>&lt;s&gt; 之类的文本代表同名的控制词元</translation>
    </message>
    <message>
        <source>Add the beginning-of-text token</source>
        <translation>添加文本开头词元</translation>
    </message>
    <message>
        <source>Add the end-of-text token</source>
        <translation>添加文本结尾词元</translation>
    </message>
    <message>
        <source>Show the tokens with their ids below the text</source>
        <translation>在文本下方显示词元及其 ID</translation>
    </message>
    <message>
        <source>Copy the ids of all tokens, separated by spaces</source>
        <translation>复制所有词元的 ID，以空格分隔</translation>
    </message>
    <message>
        <source>Number of tokens</source>
        <translation>词元数量</translation>
    </message>
    <message>
        <source>Token at the cursor</source>
        <translation>光标处的词元</translation>
    </message>
    <message numerus="yes">
        <source>Only the first %n characters fit here; gufo-cli tokenize takes texts of any length.</source>
        <translation>
            <numerusform>此处只能容纳前 %n 个字符；gufo-cli tokenize 接受任意长度的文本。</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped: the colours belong to an earlier text.</source>
        <translation>已停止：颜色属于先前的文本。</translation>
    </message>
    <message>
        <source>No text can be tokenized: %1</source>
        <translation>无法对任何文本分词：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation>
            <numerusform>%1 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 bytes/token</source>
        <translation>%1 字节/词元</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PlotFormat</name>
    <message>
        <source>&amp;PNG…</source>
        <translation>&amp;PNG…</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>&amp;SVG…</source>
        <translation>&amp;SVG…</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 图形 (*.svg)</translation>
    </message>
    <message>
        <source>P&amp;DF…</source>
        <translation>P&amp;DF…</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ProblemStrip</name>
    <message>
        <source>Problems of the template</source>
        <translation>模板的问题</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>第 %1 行第 %2 列：%3</translation>
    </message>
    <message>
        <source>Replace with %1</source>
        <translation>替换为 %1</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ProjectionPlot</name>
    <message>
        <source>Component %1 (%2 % of the variance)</source>
        <translation>成分 %1（方差的 %2%）</translation>
    </message>
    <message>
        <source>the most similar to it</source>
        <translation>与其最相似的文本</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PromptPanel</name>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Template&apos;s default</source>
        <translation>模板默认</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>Longest thought in tokens</source>
        <translation>思考的最大长度，以词元为单位</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>A completion has no thoughts</source>
        <translation>续写没有思考</translation>
    </message>
    <message>
        <source>Only an engine that runs the model itself can end a thought</source>
        <translation>只有自行运行模型的引擎才能结束思考</translation>
    </message>
    <message>
        <source>The template is being examined</source>
        <translation>正在检查模板</translation>
    </message>
    <message>
        <source>This template has no thoughts</source>
        <translation>此模板没有思考</translation>
    </message>
    <message>
        <source>After this many tokens, what ends a thought is written for the model, and the answer follows. 0: the model does not think</source>
        <translation>达到此词元数后，会替模型写出思考的结束标记，然后是回答。0：模型不思考</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Offer the model an example tool that reports the weather</source>
        <translation>向模型提供一个查询天气的示例工具</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>%1 is used instead of the model&apos;s own template: the quality of answers may suffer.</source>
        <translation>使用 %1 代替模型自带的模板：回答质量可能下降。</translation>
    </message>
    <message>
        <source>This file has no chat template. %1 is used instead, which the model may not be trained for: the quality of answers may suffer. Completion needs no template.</source>
        <translation>此文件没有聊天模板。改用 %1，模型可能没有用它训练过：回答质量可能下降。续写不需要模板。</translation>
    </message>
    <message>
        <source>not used in a completion</source>
        <translation>续写时不使用</translation>
    </message>
    <message>
        <source>What the model should know, or what role it should take</source>
        <translation>模型应知道的内容，或应扮演的角色</translation>
    </message>
    <message>
        <source>Not used in a completion</source>
        <translation>续写时不使用</translation>
    </message>
    <message>
        <source>Precedes the conversation; not all templates support it</source>
        <translation>位于对话之前；并非所有模板都支持</translation>
    </message>
    <message>
        <source>The format in which the model reads the conversation; drafts on the Template page are used as they are</source>
        <translation>模型读取对话的格式；“模板”页面上的草稿会直接使用</translation>
    </message>
    <message>
        <source>Whether the model should think before it answers; the template supports this option</source>
        <translation>模型回答前是否应思考；该模板支持此选项</translation>
    </message>
    <message>
        <source>a list, as JSON</source>
        <translation>列表，JSON 格式</translation>
    </message>
    <message>
        <source>not supported by this template</source>
        <translation>此模板不支持</translation>
    </message>
    <message>
        <source>Functions that the model may call; you enter their results</source>
        <translation>模型可以调用的函数；其结果由用户输入</translation>
    </message>
    <message>
        <source>This template does not support tools</source>
        <translation>此模板不支持工具</translation>
    </message>
</context>
<context>
    <name>gufo::ui::PublishDialog</name>
    <message>
        <source>&amp;Set</source>
        <translation>设置(&amp;S)</translation>
    </message>
    <message>
        <source>Sets general.license; can be undone</source>
        <translation>设置 general.license；可以撤销</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>重命名(&amp;R)</translation>
    </message>
    <message>
        <source>Renames the file on the disk</source>
        <translation>重命名磁盘上的文件</translation>
    </message>
    <message>
        <source>Re&amp;view Changes…</source>
        <translation>检查更改(&amp;V)…</translation>
    </message>
    <message>
        <source>Shows all changes before they are saved</source>
        <translation>在保存之前显示所有更改</translation>
    </message>
    <message>
        <source>&amp;Write Model Card…</source>
        <translation>写出模型卡(&amp;W)…</translation>
    </message>
    <message>
        <source>Writes a README.md with the files below, as the Hub reads it</source>
        <translation>按 Hub 读取的格式写出 README.md，其中列出以下文件</translation>
    </message>
    <message>
        <source>Ready to publish: %1</source>
        <translation>发布前检查：%1</translation>
    </message>
    <message>
        <source>&amp;Licence</source>
        <translation>许可证(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Name of the file</source>
        <translation>文件名(&amp;N)</translation>
    </message>
    <message>
        <source>Belongs to it</source>
        <translation>相关文件</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Pairing</source>
        <translation>配对</translation>
    </message>
    <message>
        <source>Files of the folder</source>
        <translation>文件夹中的文件</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The files of a set are renamed together, which Gufo does when it merges or splits them</source>
        <translation>分片组的文件须一起重命名，Gufo 在合并或拆分时会这样做</translation>
    </message>
    <message>
        <source>Save the changes first</source>
        <translation>请先保存更改</translation>
    </message>
    <message>
        <source>Ready to publish</source>
        <translation>可以发布</translation>
    </message>
    <message>
        <source>Set the licence</source>
        <translation>设置许可证</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Write the model card</source>
        <translation>写出模型卡</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Not ready to publish</source>
        <translation>尚不能发布</translation>
    </message>
    <message>
        <source>Measure &amp;KL…</source>
        <translation>测量 KL(&amp;K)…</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>The folder has no other quantisation of this model</source>
        <translation>文件夹中没有该模型的其他量化版本</translation>
    </message>
    <message>
        <source>Runs all quantisations of the folder on a text, and adds to the model card how far their predictions are from those of the largest file</source>
        <translation>在一段文本上运行文件夹中的所有量化版本，并在模型卡中加入它们的预测与最大文件的预测相差多远</translation>
    </message>
    <message>
        <source>Choose a text</source>
        <translation>选择文本</translation>
    </message>
    <message>
        <source>Texts (*.txt *.raw *.md);;All files (*)</source>
        <translation>文本 (*.txt *.raw *.md);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 has no figure. %2</source>
        <translation>%1 没有数值。%2</translation>
    </message>
    <message>
        <source>Running %1</source>
        <translation>正在运行 %1</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考</translation>
    </message>
</context>
<context>
    <name>gufo::ui::QualityMap</name>
    <message>
        <source>Map of differences by block and role</source>
        <translation>差异分布图，按块和角色</translation>
    </message>
    <message>
        <source>Block %1 has no %2</source>
        <translation>块 %1 没有 %2</translation>
    </message>
    <message numerus="yes">
        <source>(%n parts)</source>
        <translation>
            <numerusform>（%n 个部分）</numerusform>
        </translation>
    </message>
    <message>
        <source>absent</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Not compared yet</source>
        <translation>尚未比较</translation>
    </message>
    <message>
        <source>The shape differs: cannot be compared</source>
        <translation>形状不同：不能比较</translation>
    </message>
    <message>
        <source>The reference does not have it</source>
        <translation>参照中没有</translation>
    </message>
    <message>
        <source>%1 does not have it</source>
        <translation>%1 中没有</translation>
    </message>
    <message>
        <source>Cannot be compared</source>
        <translation>不能比较</translation>
    </message>
    <message>
        <source>Could not be compared</source>
        <translation>未能比较</translation>
    </message>
    <message>
        <source>Identical</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>All weights are equal, but not the bytes</source>
        <translation>所有权重相等，但字节不同</translation>
    </message>
    <message>
        <source>Equal where the weights can be compared</source>
        <translation>可比较的权重相等</translation>
    </message>
    <message>
        <source>%1 bits/weight</source>
        <translation>%1 位/权重</translation>
    </message>
    <message numerus="yes">
        <source>%n norms and biases are in the list</source>
        <translation>
            <numerusform>列表中有 %n 个归一化和偏置张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more tensors are in the list</source>
        <translation>
            <numerusform>列表中还有 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>KL %1</source>
        <translation>KL %1</translation>
    </message>
    <message>
        <source>, %1 bits/weight</source>
        <translation>，%1 位/权重</translation>
    </message>
    <message>
        <source>block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>no block</source>
        <translation>无块</translation>
    </message>
    <message>
        <source>not finite or cut off</source>
        <translation>非有限值或被截断</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>无法比较</translation>
    </message>
    <message numerus="yes">
        <source>%1 as a whole, %n tensors:</source>
        <translation>
            <numerusform>%1 整体，%n 个张量：</numerusform>
        </translation>
    </message>
    <message>
        <source>swapped in: KL %1</source>
        <translation>换入：KL %1</translation>
    </message>
    <message>
        <source>restored: KL falls by %1</source>
        <translation>恢复：KL 下降 %1</translation>
    </message>
    <message>
        <source>Not measured yet: choose a text and measure</source>
        <translation>尚未测量：请选择文本并测量</translation>
    </message>
    <message>
        <source>The same in both files, or without effect on the answers</source>
        <translation>在两个文件中相同，或对回答没有影响</translation>
    </message>
</context>
<context>
    <name>gufo::ui::QuantizeDialog</name>
    <message>
        <source>Tensors whose name matches</source>
        <translation>名称匹配的张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Types of some tensors</source>
        <translation>部分张量的类型</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Requantise tensors that are already quantised</source>
        <translation>重新量化已量化的张量</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>&amp;Quantise…</source>
        <translation>量化(&amp;Q)…</translation>
    </message>
    <message>
        <source>&amp;Open It</source>
        <translation>打开结果(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Compare with the Original</source>
        <translation>与原始模型比较(&amp;C)</translation>
    </message>
    <message>
        <source>Quantise %1</source>
        <translation>量化 %1</translation>
    </message>
    <message>
        <source>Quantisation type</source>
        <translation>量化类型</translation>
    </message>
    <message>
        <source>Regular expressions; the first match counts</source>
        <translation>正则表达式；以第一个匹配为准</translation>
    </message>
    <message>
        <source>Loses more than quantising the original</source>
        <translation>损失大于量化原始模型</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>类型(&amp;T)</translation>
    </message>
    <message>
        <source>Other types</source>
        <translation>其他类型</translation>
    </message>
    <message>
        <source>&amp;Importance matrix</source>
        <translation>重要性矩阵(&amp;I)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>attn_v|ffn_down</source>
        <translation>attn_v|ffn_down</translation>
    </message>
    <message>
        <source>Name of tensors, a regular expression</source>
        <translation>张量名称，正则表达式</translation>
    </message>
    <message>
        <source>Type of these tensors</source>
        <translation>这些张量的类型</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a regular expression: %2</source>
        <translation>“%1”不是正则表达式：%2</translation>
    </message>
    <message>
        <source>%1, %2 bits per weight; before: %3, %4</source>
        <translation>%1，每权重 %2 位；之前：%3，%4</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors get another type, because their rows are not whole blocks of the intended type.</source>
        <translation>
            <numerusform>有 %n 个张量采用其他类型，因为它们的行不是预定类型的整数个分块。</numerusform>
        </translation>
    </message>
    <message>
        <source>Quantise the model in F32, F16 or BF16 instead, or tick the box above, which loses more.</source>
        <translation>请改为量化 F32、F16 或 BF16 的模型，或勾选上方的复选框（损失更大）。</translation>
    </message>
    <message>
        <source>Write the quantised model</source>
        <translation>写出量化后的模型</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Stop quantising %1?</source>
        <translation>停止量化 %1？</translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation>已写入的内容会被丢弃。</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RealBox</name>
    <message>
        <source>%1 is not a number from %2 to %3.</source>
        <translation>%1 不是 %2 到 %3 之间的数字。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RecentModel</name>
    <message>
        <source>not found in %1</source>
        <translation>在 %1 中未找到</translation>
    </message>
    <message>
        <source>Today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n shards</source>
        <translation>
            <numerusform>%1，%n 个分片</numerusform>
        </translation>
    </message>
    <message>
        <source>%1
It has changes that were not saved.</source>
        <translation>%1
有未保存的更改。</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>%1, unsaved changes</source>
        <translation>%1，有未保存的更改</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>打开时间</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RecentTable</name>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Remove from List</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Clear List</source>
        <translation>清空列表</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RenameDialog</name>
    <message>
        <source>Regular &amp;expression</source>
        <translation>正则表达式(&amp;E)</translation>
    </message>
    <message>
        <source>Rename tensors</source>
        <translation>重命名张量</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>\1 to \9 stand for the groups of the expression</source>
        <translation>\1 到 \9 代表表达式中的组</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>The selected tensor</source>
        <translation>所选张量</translation>
    </message>
    <message numerus="yes">
        <source>The %n selected tensors</source>
        <translation>
            <numerusform>所选的 %n 个张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n tensors</source>
        <translation>
            <numerusform>全部 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>Which tensors</source>
        <translation>哪些张量</translation>
    </message>
    <message>
        <source>New names</source>
        <translation>新名称</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>查找(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Replace with</source>
        <translation>替换为(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;In</source>
        <translation>范围(&amp;I)</translation>
    </message>
    <message>
        <source>This is not a regular expression: %1.</source>
        <translation>这不是正则表达式：%1。</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n new names are not possible.</source>
        <translation>
            <numerusform>%n 个新名称中有 %1 个不可用。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors will be renamed.</source>
        <translation>
            <numerusform>%n 个张量会重命名。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::RenamingModel</name>
    <message>
        <source>the name would be empty</source>
        <translation>名称会为空</translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes; runtimes allow %2</source>
        <translation>
            <numerusform>%1 字节；运行时最多允许 %2 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>another tensor has this name</source>
        <translation>已有另一个张量使用此名称</translation>
    </message>
    <message>
        <source>several tensors would get this name</source>
        <translation>多个张量会使用此名称</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>新名称</translation>
    </message>
    <message>
        <source>Conflict</source>
        <translation>冲突</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RenderedTemplates</name>
    <message>
        <source>Not rendered: %1</source>
        <translation>未渲染：%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RenderingView</name>
    <message>
        <source>Rendering</source>
        <translation>渲染结果</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Report</name>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>Recurrent</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>%1 compared</source>
        <translation>比较 %1</translation>
    </message>
    <message>
        <source>Reference: %1. Comparison by Gufo.</source>
        <translation>参照：%1。由 Gufo 比较。</translation>
    </message>
    <message>
        <source>Comparison with the origin</source>
        <translation>与来源的比较</translation>
    </message>
    <message>
        <source>%1 and its origin</source>
        <translation>%1 及其来源</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>%1 by block and role</source>
        <translation>%1，按块和角色</translation>
    </message>
    <message>
        <source>Size against quality</source>
        <translation>大小与质量</translation>
    </message>
    <message>
        <source>Groups of tensors</source>
        <translation>张量组</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Tensors, worst first</source>
        <translation>张量，最差在前</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Chat templates</source>
        <translation>聊天模板</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>all %1 identical</source>
        <translation>全部 %1 个相同</translation>
    </message>
    <message>
        <source>%1 identical</source>
        <translation>%1 个相同</translation>
    </message>
    <message>
        <source>%1 equal</source>
        <translation>%1 个相等</translation>
    </message>
    <message>
        <source>%1 different</source>
        <translation>%1 个不同</translation>
    </message>
    <message>
        <source>%1 renamed</source>
        <translation>%1 个重命名</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>%1 个缺失</translation>
    </message>
    <message>
        <source>%1 extra</source>
        <translation>%1 个多出</translation>
    </message>
    <message>
        <source>%1 of another shape</source>
        <translation>%1 个形状不同</translation>
    </message>
    <message>
        <source>%1 not comparable</source>
        <translation>%1 个无法比较</translation>
    </message>
    <message>
        <source>Largest error of %1: %2 in %3 at row %4, column %5</source>
        <translation>%1 的最大误差：%2，在 %3 的第 %4 行第 %5 列</translation>
    </message>
    <message>
        <source>Bits per weight and %1 of each group</source>
        <translation>每组的每权重位数和 %1</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>No tensor differs.</source>
        <translation>没有张量不同。</translation>
    </message>
    <message>
        <source>The other %1 that differ</source>
        <translation>其余 %1 个不同的张量</translation>
    </message>
    <message>
        <source>%1 more are in the CSV and JSON exports.</source>
        <translation>另有 %1 个在 CSV 和 JSON 导出中。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>renamed</source>
        <translation>已重命名</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>extra</source>
        <translation>多出</translation>
    </message>
    <message>
        <source>another shape</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>无法比较</translation>
    </message>
    <message>
        <source>absent</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%n pairs with NaN or infinity are left out</source>
        <translation>
            <numerusform>有 %n 对含 NaN 或无穷大，未计入</numerusform>
        </translation>
    </message>
    <message>
        <source>One of the files ends within its tensor: only the part that both contain was compared</source>
        <translation>其中一个文件在其张量内结束：只比较了两者都含有的部分</translation>
    </message>
    <message numerus="yes">
        <source>%n not finite</source>
        <translation>
            <numerusform>%n 个非有限值</numerusform>
        </translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>被截断</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors have another shape</source>
        <translation>
            <numerusform>%n 个张量形状不同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors are missing</source>
        <translation>
            <numerusform>%n 个张量缺失</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors cannot be compared</source>
        <translation>
            <numerusform>%n 个张量无法比较</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of another shape</source>
        <translation>
            <numerusform>%n 个形状不同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n missing</source>
        <translation>
            <numerusform>%n 个缺失</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not comparable</source>
        <translation>
            <numerusform>%n 个无法比较</numerusform>
        </translation>
    </message>
    <message>
        <source>Weighted SQNR: errors are weighted by %1.</source>
        <translation>加权 SQNR：误差以 %1 加权。</translation>
    </message>
    <message>
        <source>%1 was quantised with an importance matrix (%2). These figures weight all errors equally, so they do not show what it gained.</source>
        <translation>%1 是使用重要性矩阵（%2）量化的。这些数值对所有误差同等加权，因此不显示它带来的收益。</translation>
    </message>
    <message>
        <source>%1 holds the weights of %2</source>
        <translation>%1 含有 %2 的权重</translation>
    </message>
    <message>
        <source>Exchanged tensors (%1): %2</source>
        <translation>互换的张量（%1）：%2</translation>
    </message>
    <message>
        <source>Not shown, because they are identical in all files:</source>
        <translation>因在所有文件中相同而未显示：</translation>
    </message>
    <message>
        <source>block %1, %2</source>
        <translation>块 %1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n matrices, %1 identical</source>
        <translation>
            <numerusform>%n 个矩阵，%1 个相同</numerusform>
        </translation>
    </message>
    <message>
        <source>worst expert: %1, %2</source>
        <translation>最差的专家：%1，%2</translation>
    </message>
    <message>
        <source>bits/weight</source>
        <translation>位/权重</translation>
    </message>
    <message>
        <source>against %1</source>
        <translation>与 %1 比较</translation>
    </message>
    <message>
        <source>block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>missing, extra or reshaped</source>
        <translation>缺失、多出或形状不同</translation>
    </message>
    <message>
        <source>weights left out</source>
        <translation>未计入部分权重</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%n elements differ</source>
        <translation>
            <numerusform>%n 个元素不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Index</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>此文件</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>the same as %1</source>
        <translation>与 %1 相同</translation>
    </message>
    <message numerus="yes">
        <source>%n characters</source>
        <translation>
            <numerusform>%n 个字符</numerusform>
        </translation>
    </message>
    <message>
        <source>Tokens of %1</source>
        <translation>%1 的词元</translation>
    </message>
    <message>
        <source>%1 missing, %2 new, %3 under other ids, %4 with other scores, %5 of other types</source>
        <translation>%1 个缺失，%2 个新增，%3 个 ID 不同，%4 个分数不同，%5 个类型不同</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message numerus="yes">
        <source>%n keys are the same in all files.</source>
        <translation>
            <numerusform>%n 个键在所有文件中相同。</numerusform>
        </translation>
    </message>
    <message>
        <source>File size, %1</source>
        <translation>文件大小，%1</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 与 %2</translation>
    </message>
    <message>
        <source>Size and quality of each file</source>
        <translation>各文件的大小与质量</translation>
    </message>
    <message>
        <source>efficient frontier: no smaller file is as close; the marks of the other files are hollow</source>
        <translation>有效前沿：没有更小的文件能同样接近参照；其他文件的标记为空心</translation>
    </message>
    <message>
        <source>Error |a − b|</source>
        <translation>误差 |a − b|</translation>
    </message>
    <message>
        <source>Number of weights</source>
        <translation>权重数</translation>
    </message>
    <message>
        <source>Number of weights by error</source>
        <translation>权重数，按误差</translation>
    </message>
    <message>
        <source>Distribution of errors</source>
        <translation>误差的分布</translation>
    </message>
    <message>
        <source>Magnitude of the weight |a|</source>
        <translation>权重的绝对值 |a|</translation>
    </message>
    <message>
        <source>Relative error (RMS)</source>
        <translation>相对误差 (RMS)</translation>
    </message>
    <message>
        <source>Relative error by weight magnitude</source>
        <translation>相对误差，按权重绝对值</translation>
    </message>
    <message numerus="yes">
        <source>%1 against %2 (reference), %n tensors</source>
        <translation>
            <numerusform>%1 与 %2（参照）比较，%n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Coloured by the %1 of %2.</source>
        <translation>颜色表示 %2 的%1。</translation>
    </message>
    <message>
        <source>Coloured by the types of its tensors.</source>
        <translation>颜色表示张量的类型。</translation>
    </message>
    <message>
        <source>The picture in words</source>
        <translation>图的文字说明</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RepositoryModel</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Projector</source>
        <comment>of images or sounds</comment>
        <translation>投影器</translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation>草稿模型</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation>重要性矩阵</translation>
    </message>
    <message>
        <source>none</source>
        <comment>template</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>as the base model</source>
        <translation>与基础模型相同</translation>
    </message>
    <message>
        <source>not the base model&apos;s</source>
        <translation>与基础模型不同</translation>
    </message>
    <message>
        <source>as most files</source>
        <translation>与多数文件相同</translation>
    </message>
    <message>
        <source>another one</source>
        <comment>template</comment>
        <translation>另一个</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n files)</source>
        <translation>
            <numerusform>%1（%n 个文件）</numerusform>
        </translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>过大</translation>
    </message>
    <message numerus="yes">
        <source>%n shards are missing in the repository.</source>
        <translation>
            <numerusform>仓库中缺少 %n 个分片。</numerusform>
        </translation>
    </message>
    <message>
        <source>To run the model with its trained context, but at most 4,096 tokens</source>
        <translation>以训练时的上下文（最多 4,096 个词元）运行模型所需</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bits/weight</source>
        <translation>位/权重</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>聊天模板</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RepositoryPage</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Only what &amp;fits</source>
        <translation>仅显示放得下的(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Read headers</source>
        <translation>读取文件头(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Template…</source>
        <translation>模板(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Download…</source>
        <translation>下载(&amp;D)…</translation>
    </message>
    <message>
        <source>Hide what does not fit into the memory that is free</source>
        <translation>隐藏可用内存放不下的模型</translation>
    </message>
    <message>
        <source>Compare two to eight of these, without downloading them</source>
        <translation>比较其中两到八个，无需下载</translation>
    </message>
    <message>
        <source>How the chat template differs from that of the base model, or of most files</source>
        <translation>聊天模板与基础模型或多数文件的有何不同</translation>
    </message>
    <message>
        <source>Read the headers that are missing</source>
        <translation>读取尚缺的文件头</translation>
    </message>
    <message>
        <source>Models in the repository</source>
        <translation>仓库中的模型</translation>
    </message>
    <message>
        <source>On %1</source>
        <translation>位于 %1</translation>
    </message>
    <message>
        <source>commit %1</source>
        <translation>提交 %1</translation>
    </message>
    <message>
        <source>no licence stated</source>
        <translation>未声明许可证</translation>
    </message>
    <message>
        <source>licence %1</source>
        <translation>许可证 %1</translation>
    </message>
    <message>
        <source>made of %1</source>
        <translation>基于 %1 制作</translation>
    </message>
    <message>
        <source>gated: files are only sent to users who have accepted its conditions</source>
        <translation>受限：文件只发送给已接受其条件的用户</translation>
    </message>
    <message>
        <source>Reading headers</source>
        <translation>正在读取文件头</translation>
    </message>
    <message numerus="yes">
        <source>%n models, %1</source>
        <translation>
            <numerusform>%n 个模型，%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fit into the %1 of free memory</source>
        <translation>
            <numerusform>有 %n 个放得进 %1 的可用内存</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no GGUF file in this repository.</source>
        <translation>此仓库中没有 GGUF 文件。</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RepositoryTab</name>
    <message>
        <source>the list of files on %1</source>
        <translation>%1 上的文件列表</translation>
    </message>
    <message>
        <source>Not contacted</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Contacting %1…</source>
        <translation>正在连接 %1…</translation>
    </message>
    <message>
        <source>Could not be listed</source>
        <translation>无法列出</translation>
    </message>
    <message>
        <source>Listed from %1</source>
        <translation>列表来自 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ReviewDialog</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Revert all</source>
        <translation>全部还原</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>No changes</source>
        <translation>没有更改</translation>
    </message>
    <message>
        <source>The model is the same as in its file.</source>
        <translation>模型与其文件相同。</translation>
    </message>
    <message>
        <source>Revert the selected change (Delete)</source>
        <translation>还原所选更改 (Delete)</translation>
    </message>
    <message>
        <source>Copy as Text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Save to File…</source>
        <translation>保存到文件…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Unsaved changes — %1</source>
        <translation>未保存的更改 — %1</translation>
    </message>
    <message numerus="yes">
        <source>%n changes</source>
        <translation>
            <numerusform>%n 项更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Export the changes</source>
        <translation>导出更改</translation>
    </message>
    <message>
        <source>Markdown (*.md);;Text (*.txt)</source>
        <translation>Markdown (*.md);;文本 (*.txt)</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ReviewModel</name>
    <message>
        <source>(other line endings)</source>
        <translation>（换行符不同）</translation>
    </message>
    <message>
        <source>little-endian</source>
        <translation>小端</translation>
    </message>
    <message>
        <source>big-endian</source>
        <translation>大端</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>略去</translation>
    </message>
    <message>
        <source>Revert this change</source>
        <translation>还原此更改</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Key or tensor</source>
        <translation>键或张量</translation>
    </message>
    <message>
        <source>In the file</source>
        <translation>文件中</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RopeField</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>RoPE scaling</source>
        <translation>RoPE 缩放</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>与文件相同</translation>
    </message>
    <message>
        <source>Scaling of positions</source>
        <translation>位置的缩放</translation>
    </message>
    <message>
        <source>Allows contexts longer than the model was trained with, at some loss of quality. YaRN loses less than linear scaling</source>
        <translation>允许比模型训练时更长的上下文，但质量有所下降。YaRN 的损失小于线性缩放</translation>
    </message>
    <message>
        <source>Factor of the scaling</source>
        <translation>缩放的因子</translation>
    </message>
    <message>
        <source>The factor by which the context becomes longer</source>
        <translation>上下文延长的倍数</translation>
    </message>
    <message>
        <source>Base of the RoPE frequencies</source>
        <translation>RoPE 频率的基数</translation>
    </message>
    <message>
        <source>Base of the RoPE frequencies; a higher base also allows longer contexts</source>
        <translation>RoPE 频率的基数；较大的基数也允许更长的上下文</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>基数</translation>
    </message>
    <message>
        <source>as in the file: %1</source>
        <translation>与文件相同：%1</translation>
    </message>
    <message>
        <source>unscaled</source>
        <translation>不缩放</translation>
    </message>
    <message>
        <source>base %1</source>
        <translation>基数 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RunPage</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>The address was written by the model and may be wrong or unsafe.</source>
        <translation>该地址由模型写出，可能有误或不安全。</translation>
    </message>
    <message numerus="yes">
        <source>Reading the prompt: %1 of %n tokens</source>
        <translation>
            <numerusform>正在读取提示词：%n 个词元中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>The model has read %1 in your text as control tokens. &quot;%2&quot; keeps them as text.</source>
        <translation>模型将文本中的 %1 读作控制词元。“%2”可将其保留为文本。</translation>
    </message>
    <message numerus="yes">
        <source>%n kept prompts could not be used, because their files are damaged or belong to another model.</source>
        <translation>
            <numerusform>有 %n 个保留的提示词无法使用，因为其文件已损坏或属于另一个模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>You</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The model is not loaded: the conversation can be read, but not continued.</source>
        <translation>模型未加载：可以阅读对话，但不能继续。</translation>
    </message>
    <message>
        <source>Load…</source>
        <translation>加载…</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message numerus="yes">
        <source>Generating, %n tokens in %1</source>
        <translation>
            <numerusform>正在生成，%1 内已生成 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the prompt…</source>
        <translation>正在读取提示词…</translation>
    </message>
    <message>
        <source>Not loaded</source>
        <translation>未加载</translation>
    </message>
    <message numerus="yes">
        <source>Ready. The last answer: %n tokens in %1, %2 of %3 prompt tokens read</source>
        <translation>
            <numerusform>就绪。上一个回答：%1 内生成 %n 个词元，已读取 %3 个提示词词元中的 %2 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Ready, loaded in %1</source>
        <translation>就绪，加载用时 %1</translation>
    </message>
    <message>
        <source>Template: %1</source>
        <translation>模板：%1</translation>
    </message>
    <message>
        <source>Context shift on</source>
        <translation>上下文移位已开启</translation>
    </message>
    <message>
        <source>Context shift off</source>
        <translation>上下文移位已关闭</translation>
    </message>
    <message>
        <source>The pictures of the conversation on the Template page are omitted: this engine supports text only.</source>
        <translation>已略去“模板”页面上对话中的图片：此引擎只支持文本。</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens are needed, and the context holds %1.</source>
        <translation>
            <numerusform>需要 %n 个词元，而上下文只能容纳 %1 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>This engine leaves out no older messages: begin a new conversation, or give it a larger context.</source>
        <translation>此引擎不会略去较早的消息：请开始新对话，或给它更大的上下文。</translation>
    </message>
    <message>
        <source>Switch on &quot;%1&quot; to leave out the oldest messages, or load the model with a larger context.</source>
        <translation>开启“%1”以略去最早的消息，或以更大的上下文加载模型。</translation>
    </message>
    <message>
        <source>The last message does not fit on its own: shorten it, or load the model with a larger context.</source>
        <translation>最后一条消息单独也放不下：请将其缩短，或以更大的上下文加载模型。</translation>
    </message>
    <message>
        <source>There is no answer: %1.</source>
        <translation>没有回答：%1。</translation>
    </message>
    <message>
        <source> (line %1)</source>
        <translation>（第 %1 行）</translation>
    </message>
    <message>
        <source>The template cannot render this conversation: %1%2</source>
        <translation>模板无法渲染此对话：%1%2</translation>
    </message>
    <message>
        <source>The grammar cannot be used: %1</source>
        <translation>无法使用该语法：%1</translation>
    </message>
    <message>
        <source>The logit bias cannot be used: %1</source>
        <translation>无法使用 logit 偏置：%1</translation>
    </message>
    <message>
        <source>The tools cannot be used: %1</source>
        <translation>无法使用这些工具：%1</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RunStrip</name>
    <message>
        <source>Speed and context</source>
        <translation>速度和上下文</translation>
    </message>
    <message>
        <source>Generation: tokens of the answer per second. Prompt: tokens of the question and of what precedes it, per second.
Memory read: weights and KV cache; the peak is the read bandwidth measured with the same number of threads. A small model is read from the processor&apos;s cache, and has no such limit.</source>
        <translation>生成：回答每秒的词元数。提示词：问题及其之前的内容每秒的词元数。
内存读取：权重和 KV 缓存；峰值是以相同线程数测得的读取带宽。小模型从处理器缓存读取，没有此限制。</translation>
    </message>
    <message>
        <source>%1 % of drafts accepted</source>
        <translation>草稿接受率 %1%</translation>
    </message>
    <message>
        <source>Generation</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>from the cache</source>
        <translation>来自缓存</translation>
    </message>
    <message>
        <source>%1 % of peak</source>
        <translation>峰值的 %1%</translation>
    </message>
    <message>
        <source>Memory read</source>
        <translation>内存读取</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/秒</translation>
    </message>
    <message>
        <source>Context %1 of %2</source>
        <translation>上下文 %1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
</context>
<context>
    <name>gufo::ui::RunToolBar</name>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Questions and answers through the model&apos;s chat template</source>
        <translation>通过模型的聊天模板问答</translation>
    </message>
    <message>
        <source>Completion</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>Start a new conversation</source>
        <translation>开始新对话</translation>
    </message>
    <message>
        <source>Rename or delete the conversation; import one; run models side by side</source>
        <translation>重命名或删除对话；导入对话；并排运行模型</translation>
    </message>
    <message>
        <source>Shade by probability</source>
        <translation>按概率着色</translation>
    </message>
    <message>
        <source>Copy the conversation as Markdown</source>
        <translation>将对话复制为 Markdown</translation>
    </message>
    <message>
        <source>Export the conversation</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <source>Sampling and engine (Ctrl+,)</source>
        <translation>采样和引擎 (Ctrl+,)</translation>
    </message>
    <message>
        <source>Markdown…</source>
        <translation>Markdown…</translation>
    </message>
    <message>
        <source>JSON with tokens…</source>
        <translation>含词元的 JSON…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Cache evaluated prompts on disk</source>
        <translation>将计算过的提示词缓存到磁盘</translation>
    </message>
    <message>
        <source>What the engine has computed from conversations is then kept in your cache folder, up to 4 GiB, so that it need not read them again when a model is loaded later. It is deleted with its conversation, or when this is switched off.</source>
        <translation>引擎由对话计算出的内容会保存在缓存文件夹中（最多 4 GiB），以后加载模型时无需重新读取这些对话。它随对话一同删除，关闭此项时也会删除。</translation>
    </message>
    <message>
        <source>The model continues a text without a template</source>
        <translation>模型不用模板续写文本</translation>
    </message>
    <message>
        <source>Shade each token by its probability. Point at a token, or select it with the arrow keys, to see the alternatives</source>
        <translation>按概率为每个词元着色。指向词元，或用方向键选择它，即可查看其他候选</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SamplerPanel</name>
    <message>
        <source>Fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>DRY, XTC, typical, mirostat</source>
        <translation>DRY、XTC、典型采样、Mirostat</translation>
    </message>
    <message>
        <source>Grammar and JSON schema</source>
        <translation>语法和 JSON Schema</translation>
    </message>
    <message>
        <source>Logit bias</source>
        <translation>logit 偏置</translation>
    </message>
    <message>
        <source>Stop strings</source>
        <translation>停止字符串</translation>
    </message>
    <message>
        <source>Ignore end of text</source>
        <translation>忽略文本结尾</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Predefined settings; you can save your own</source>
        <translation>预定义的设置；也可以保存自己的设置</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>The random seed: the same seed, settings and text give the same answer</source>
        <translation>随机种子：相同的种子、设置和文本得到相同的回答</translation>
    </message>
    <message>
        <source>Use this seed for every answer; otherwise each answer gets a new one</source>
        <translation>每个回答都使用此种子；否则每个回答使用新的种子</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>Maximum answer length in tokens</source>
        <translation>回答的最大长度，以词元为单位</translation>
    </message>
    <message>
        <source>An answer stops after this many tokens and can be continued. 0: no limit</source>
        <translation>回答达到此词元数后停止，之后可以继续。0：无限制</translation>
    </message>
    <message>
        <source>Maximum length</source>
        <translation>最大长度</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Stop strings, one per line</source>
        <translation>停止字符串，每行一个</translation>
    </message>
    <message>
        <source>One per line; \n is a line break</source>
        <translation>每行一个；\n 为换行</translation>
    </message>
    <message>
        <source>An answer ends before the first of these texts. The template&apos;s own end marker need not be listed</source>
        <translation>遇到其中任一文本时，回答在该文本之前结束。模板自身的结束标记无需列出</translation>
    </message>
    <message>
        <source>The tokens that end an answer are never sampled</source>
        <translation>从不采样结束回答的词元</translation>
    </message>
    <message>
        <source>%1 on</source>
        <translation>已开启 %1 个</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>on</source>
        <translation>已开启</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Delete this preset</source>
        <translation>删除此预设</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Save the settings</source>
        <translation>保存设置</translation>
    </message>
    <message>
        <source>Name of the preset:</source>
        <translation>预设的名称：</translation>
    </message>
    <message>
        <source>end of text ignored</source>
        <translation>忽略文本结尾</translation>
    </message>
    <message>
        <source>the logit bias, or end of text ignored</source>
        <translation>logit 偏置或忽略文本结尾</translation>
    </message>
    <message>
        <source>the logit bias</source>
        <translation>logit 偏置</translation>
    </message>
    <message>
        <source>the grammar</source>
        <translation>语法</translation>
    </message>
    <message>
        <source>top-n-sigma</source>
        <translation>top-n-sigma</translation>
    </message>
    <message>
        <source>top-k</source>
        <translation>top-k</translation>
    </message>
    <message>
        <source>typical</source>
        <translation>典型采样</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>top-p</translation>
    </message>
    <message>
        <source>min-p</source>
        <translation>min-p</translation>
    </message>
    <message>
        <source>XTC</source>
        <translation>XTC</translation>
    </message>
    <message>
        <source>Mirostat</source>
        <translation>Mirostat</translation>
    </message>
    <message>
        <source>temperature 0</source>
        <translation>温度 0</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>The randomness of sampling. 0 always takes the most likely token; 1 uses the model&apos;s probabilities; higher values make them more even.</source>
        <translation>采样的随机程度。0 总是取最可能的词元；1 使用模型的概率；更大的值使概率更均匀。</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Keeps this many of the most likely tokens. 0: all of them.</source>
        <translation>保留这么多个最可能的词元。0：全部保留。</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Keeps the most likely tokens up to this total probability. 1: all of them.</source>
        <translation>保留最可能的词元，直到总概率达到此值。1：全部保留。</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Removes tokens less likely than this fraction of the most likely one. 0: off.</source>
        <translation>移除概率低于最可能词元此比例的词元。0：关闭。</translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>Makes recently used tokens less likely: their positive logits are divided by this, negative ones multiplied. 1: off.</source>
        <translation>降低最近使用过的词元的可能性：正的 logits 除以此值，负的乘以此值。1：关闭。</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <source>Subtracted once from the logit of each recently used token. 0: off.</source>
        <translation>从最近使用过的每个词元的 logit 中减去一次。0：关闭。</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>Subtracted from the logit of a token for each recent use. 0: off.</source>
        <translation>词元最近每使用一次，就从其 logit 中减去此值。0：关闭。</translation>
    </message>
    <message>
        <source>Penalty range</source>
        <translation>惩罚范围</translation>
    </message>
    <message>
        <source>The number of recent tokens that the three penalties apply to.</source>
        <translation>三种惩罚所考虑的最近词元数。</translation>
    </message>
    <message>
        <source>DRY strength</source>
        <translation>DRY 强度</translation>
    </message>
    <message>
        <source>Don&apos;t repeat yourself: penalises tokens that would extend a repetition, increasingly with its length. 0: off; 0.8 is common.</source>
        <translation>不要重复自己（DRY）：惩罚会延长重复的词元，重复越长惩罚越大。0：关闭；常用 0.8。</translation>
    </message>
    <message>
        <source>DRY base</source>
        <translation>DRY 底数</translation>
    </message>
    <message>
        <source>The factor by which the penalty grows with each repeated token.</source>
        <translation>每多一个重复词元，惩罚增大的倍数。</translation>
    </message>
    <message>
        <source>DRY allowed length</source>
        <translation>DRY 允许长度</translation>
    </message>
    <message>
        <source>Repetitions up to this many tokens are not penalised.</source>
        <translation>不超过此词元数的重复不受惩罚。</translation>
    </message>
    <message>
        <source>DRY range</source>
        <translation>DRY 范围</translation>
    </message>
    <message>
        <source>The number of recent tokens in which DRY looks for repetitions. 0: all of them.</source>
        <translation>DRY 查找重复时所考虑的最近词元数。0：全部。</translation>
    </message>
    <message>
        <source>XTC probability</source>
        <translation>XTC 概率</translation>
    </message>
    <message>
        <source>Exclude top choices: the probability of removing all tokens above the threshold except the least likely of them. 0: never.</source>
        <translation>排除最佳选择（XTC）：移除高于阈值的所有词元（其中最不可能者除外）的概率。0：从不。</translation>
    </message>
    <message>
        <source>XTC threshold</source>
        <translation>XTC 阈值</translation>
    </message>
    <message>
        <source>Tokens of at least this probability are top choices.</source>
        <translation>概率不低于此值的词元为最佳选择。</translation>
    </message>
    <message>
        <source>Typical</source>
        <translation>典型采样</translation>
    </message>
    <message>
        <source>Keeps the tokens whose surprise is closest to the entropy, up to this total probability. 1: off.</source>
        <translation>保留惊讶度最接近熵的词元，直到总概率达到此值。1：关闭。</translation>
    </message>
    <message>
        <source>Top-n-sigma</source>
        <translation>Top-n-sigma</translation>
    </message>
    <message>
        <source>Keeps tokens whose logit is within this many standard deviations of the largest. 0: off.</source>
        <translation>保留 logit 与最大值相差不超过这么多个标准差的词元。0：关闭。</translation>
    </message>
    <message>
        <source>Dynamic range</source>
        <translation>动态范围</translation>
    </message>
    <message>
        <source>Varies the temperature by up to this amount with the entropy of the next token. 0: off.</source>
        <translation>随下一个词元的熵在此幅度内改变温度。0：关闭。</translation>
    </message>
    <message>
        <source>Dynamic exponent</source>
        <translation>动态指数</translation>
    </message>
    <message>
        <source>How the temperature follows the entropy within the dynamic range: 1 in proportion; a larger exponent keeps it low until the next token is very uncertain.</source>
        <translation>温度在动态范围内如何随熵变化：1 为成比例；较大的指数使温度保持较低，直到下一个词元非常不确定。</translation>
    </message>
    <message>
        <source>Keeps the surprise of the text constant instead of using the samplers that remove tokens: version 1 or 2. 0: off.</source>
        <translation>使文本的惊讶度保持恒定，以此取代会移除词元的采样器：版本 1 或 2。0：关闭。</translation>
    </message>
    <message>
        <source>Mirostat target</source>
        <translation>Mirostat 目标</translation>
    </message>
    <message>
        <source>The target surprise of Mirostat in bits.</source>
        <translation>Mirostat 的目标惊讶度，以比特为单位。</translation>
    </message>
    <message>
        <source>Mirostat rate</source>
        <translation>Mirostat 学习率</translation>
    </message>
    <message>
        <source>The learning rate of Mirostat.</source>
        <translation>Mirostat 的学习率。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SamplerPreset</name>
    <message>
        <source>Model default</source>
        <translation>模型默认</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>Precise</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Creative</source>
        <translation>创意</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SaveDialog</name>
    <message>
        <source>&amp;Verify the tensor data</source>
        <translation>验证张量数据(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Reserve 256 KiB in the header when it grows</source>
        <translation>文件头增长时预留 256 KiB(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save with options</source>
        <translation>按选项保存</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>The safe strategy that writes the least</source>
        <translation>写入量最少的安全策略</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Safety</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>Reads %1 before and after, and compares their SHA-256.</source>
        <translation>保存前后各读取 %1，并比较其 SHA-256。</translation>
    </message>
    <message>
        <source>So that later changes only patch the header, in the key gufo.reserved or, in safetensors, as spaces. Files under %1 get none.</source>
        <translation>使以后的更改只需修补文件头；存于键 gufo.reserved 中，在 safetensors 中则为空格。小于 %1 的文件不预留。</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Not possible: %1.</source>
        <translation>不可行：%1。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ScoredLinesModel</name>
    <message>
        <source>There is no figure: the vector of the text is zero or has elements that are no numbers.</source>
        <translation>没有数值：该文本的向量为零，或含有不是数字的元素。</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SecretStore</name>
    <message>
        <source>it refused access</source>
        <translation>它拒绝访问</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SeriesHistogram</name>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ServerPanel</name>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>The server that runs the model</source>
        <translation>运行模型的服务器</translation>
    </message>
    <message>
        <source>The system&apos;s secret store cannot be used (%1): the key is forgotten when the program ends.</source>
        <translation>无法使用系统的密钥库（%1）：程序退出后密钥即清除。</translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation>服务器的地址</translation>
    </message>
    <message>
        <source>A llama-server, or another server with OpenAI&apos;s interface</source>
        <translation>llama-server，或其他具有 OpenAI 接口的服务器</translation>
    </message>
    <message>
        <source>Key of the server</source>
        <translation>服务器的密钥</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>It is sent to this address only. Once the server has answered, it is kept in the system&apos;s secret store.</source>
        <translation>它只发送到此地址。服务器答复后，它会保存在系统的密钥库中。</translation>
    </message>
    <message>
        <source>It is sent to this address only, and forgotten when the program ends</source>
        <translation>它只发送到此地址，程序退出后即清除</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Ask the server what it is and whether it runs this file</source>
        <translation>询问服务器它是什么，以及是否运行此文件</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the address from the list</source>
        <translation>从列表中移除该地址</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>The connection is not encrypted: others in the network can read what is sent, with the key.</source>
        <translation>连接不加密：网络中的其他人可以读取所发送的内容，包括密钥。</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Context in tokens</source>
        <translation>上下文，以词元为单位</translation>
    </message>
    <message>
        <source>Layers on the GPU</source>
        <translation>GPU 上的层数</translation>
    </message>
    <message>
        <source>The number of layers whose weights are in the memory of the GPU</source>
        <translation>权重放在 GPU 内存中的层数</translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation>其他机器</translation>
    </message>
    <message>
        <source>Machines that run llama.cpp&apos;s rpc-server and compute a part of the layers</source>
        <translation>运行 llama.cpp 的 rpc-server 并计算部分层的机器</translation>
    </message>
    <message>
        <source>Further arguments</source>
        <translation>其他参数</translation>
    </message>
    <message>
        <source>Further arguments of llama-server</source>
        <translation>llama-server 的其他参数</translation>
    </message>
    <message>
        <source>Log of llama-server</source>
        <translation>llama-server 的日志</translation>
    </message>
    <message>
        <source>What llama-server writes</source>
        <translation>llama-server 写出的内容</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>GPU 层</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Another address</source>
        <translation>其他地址</translation>
    </message>
    <message>
        <source>Start one here (llama-server is not installed)</source>
        <translation>在此启动（未安装 llama-server）</translation>
    </message>
    <message>
        <source>Start llama-server on this computer</source>
        <translation>在本机上启动 llama-server</translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation>正在询问 %1…</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ServerStrip</name>
    <message>
        <source>Download…</source>
        <translation>下载…</translation>
    </message>
    <message>
        <source>On %1</source>
        <translation>位于 %1</translation>
    </message>
    <message>
        <source>%1 received</source>
        <translation>已收到 %1</translation>
    </message>
    <message>
        <source>%1 received from %2</source>
        <translation>已从 %2 收到 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ShadeLegend</name>
    <message>
        <source>likely 1</source>
        <translation>很可能 1</translation>
    </message>
    <message>
        <source>0.01 unlikely</source>
        <translation>0.01 不太可能</translation>
    </message>
    <message>
        <source>Shades: from none for likely tokens to the strongest for a probability of 0.01 or less</source>
        <translation>着色：可能的词元不着色，概率为 0.01 或更低时最深</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SideBySideModel</name>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Sidebar</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SimilarityMap</name>
    <message>
        <source>Similarity of each pair of lines</source>
        <translation>每对行的相似度</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>%1 “%2”</source>
        <translation>%1 “%2”</translation>
    </message>
    <message>
        <source>Cosine %1: line %2 and line %3</source>
        <translation>余弦 %1：第 %2 行与第 %3 行</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SizeDialog</name>
    <message>
        <source>Quantise %1 for a Size</source>
        <translation>按目标大小量化 %1</translation>
    </message>
    <message>
        <source>&amp;Quantise…</source>
        <translation>量化(&amp;Q)…</translation>
    </message>
    <message>
        <source>text for the costs</source>
        <translation>用于测量代价的文本</translation>
    </message>
    <message>
        <source>&amp;Save Recipe…</source>
        <translation>保存配方(&amp;S)…</translation>
    </message>
    <message>
        <source>Size of the file, from the smallest to the original</source>
        <translation>文件大小，从最小到原始大小</translation>
    </message>
    <message>
        <source>Measures on this text how much the model loses by errors in each role of tensors; otherwise, published figures of another model stand in for it</source>
        <translation>在此文本上测量每种张量角色的误差给模型带来多少损失；否则以另一模型的公开数据代替</translation>
    </message>
    <message>
        <source>&amp;Target</source>
        <translation>目标(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Importance matrix</source>
        <translation>重要性矩阵(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Measure costs on</source>
        <translation>测量代价所用文本(&amp;M)</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Measuring what each type costs in each tensor…</source>
        <translation>正在测量每种类型在每个张量中的代价…</translation>
    </message>
    <message>
        <source>The costs were not measured.</source>
        <translation>没有测量代价。</translation>
    </message>
    <message>
        <source>Cancelled. Press Enter in the target to measure them.</source>
        <translation>已取消。在“目标”中按 Enter 即可测量。</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>文件大小</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Fits in memory</source>
        <translation>可放入内存</translation>
    </message>
    <message>
        <source>Kind of target</source>
        <translation>目标的种类</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>4.2 GB</source>
        <translation>4.2 GB</translation>
    </message>
    <message>
        <source> tokens of context</source>
        <translation> 个词元的上下文</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>The context for which memory is stated and must suffice</source>
        <translation>按此上下文给出所需内存，内存须足够</translation>
    </message>
    <message>
        <source>&amp;Open Recipe…</source>
        <translation>打开配方(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Like Another File…</source>
        <translation>与另一文件相同(&amp;L)…</translation>
    </message>
    <message>
        <source>Give the tensors the types that they have in another GGUF file</source>
        <translation>使张量采用其在另一个 GGUF 文件中的类型</translation>
    </message>
    <message>
        <source>Recipes (*.txt *.recipe)</source>
        <translation>配方 (*.txt *.recipe)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a recipe</source>
        <translation>打开配方</translation>
    </message>
    <message>
        <source>Take the types of another file</source>
        <translation>采用另一个文件的类型</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Save the recipe</source>
        <translation>保存配方</translation>
    </message>
    <message>
        <source>Measuring errors</source>
        <translation>正在测量误差</translation>
    </message>
    <message>
        <source>Measuring costs on the text</source>
        <translation>正在文本上测量代价</translation>
    </message>
    <message>
        <source>Nothing to plan</source>
        <translation>没有可制定的方案</translation>
    </message>
    <message>
        <source>This model has no matrices of floating-point numbers. Plan with the original, in F32, F16 or BF16: quantising twice loses more.</source>
        <translation>此模型没有浮点数矩阵。请用 F32、F16 或 BF16 的原始模型制定方案：量化两次损失更大。</translation>
    </message>
    <message>
        <source>The target is a size such as 4.2 GB, or bits per weight such as 4.5.</source>
        <translation>目标须为 4.2 GB 之类的大小，或 4.5 之类的每权重位数。</translation>
    </message>
    <message>
        <source>%1 (%2 bytes), %3 bits per weight, expected KL divergence: %4 nats</source>
        <translation>%1（%2 字节），每权重 %3 位，预期 KL 散度：%4 nat</translation>
    </message>
    <message>
        <source>, memory: %1</source>
        <translation>，内存：%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The costs are published ones of another model; choose a text to measure them on this one.</source>
        <translation>代价采用另一模型的公开数据；选择文本可在此模型上测量。</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors have types whose cost was not measured; the divergence leaves them out.</source>
        <translation>
            <numerusform>有 %n 个张量的类型没有测量代价；散度不包括它们。</numerusform>
        </translation>
    </message>
    <message>
        <source>Line %1: &quot;%2&quot; is not a regular expression: %3</source>
        <translation>第 %1 行：“%2”不是正则表达式：%3</translation>
    </message>
    <message>
        <source>Like %1</source>
        <translation>与 %1 相同</translation>
    </message>
    <message>
        <source>%1 has none of the tensors of this model in a type that can be written.</source>
        <translation>在 %1 中，此模型的张量都不存在，或其类型无法写出。</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Write the quantised model</source>
        <translation>写出量化后的模型</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was written.</source>
        <translation>已取消。没有写入任何内容。</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Stop quantising %1?</source>
        <translation>停止量化 %1？</translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation>已写入的内容会被丢弃。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SizesPlot</name>
    <message>
        <source>Sizes of the stream and of what is added to it, by block</source>
        <translation>残差流及其增量的幅度，按块</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>残差流</translation>
    </message>
    <message>
        <source>attention or state</source>
        <translation>注意力或状态</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Sizes of B divided by those of A, by block</source>
        <translation>B 的幅度除以 A 的幅度，按块</translation>
    </message>
    <message>
        <source>Ratio B / A</source>
        <translation>比值 B / A</translation>
    </message>
    <message>
        <source>%1 of B</source>
        <translation>B 的%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SizesView</name>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Sizes at the chosen token, by block</source>
        <translation>所选词元处的幅度，按块</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>残差流</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>The share of attention, or of the state, in what the block changes</source>
        <translation>注意力（或状态）在该块所作改变中的占比</translation>
    </message>
    <message>
        <source>The largest activation of the stream: outliers are what breaks quantisation</source>
        <translation>残差流的最大激活值：破坏量化的正是离群值</translation>
    </message>
    <message>
        <source>The norm of the state that stands in for attention, mean over its heads</source>
        <translation>代替注意力的状态的范数，各头的均值</translation>
    </message>
    <message>
        <source>By how much the token multiplied what the state held before, mean over its heads</source>
        <translation>该词元对状态原有内容所乘的倍数，各头的均值</translation>
    </message>
    <message>
        <source>what attention adds</source>
        <translation>注意力的增量</translation>
    </message>
    <message>
        <source>what the feed-forward adds</source>
        <translation>前馈的增量</translation>
    </message>
    <message>
        <source>the stream</source>
        <translation>残差流</translation>
    </message>
    <message>
        <source>NaN first appears at token %1 in block %2, in %3.</source>
        <translation>NaN 首次出现于块 %2 的词元 %1 处，位于%3。</translation>
    </message>
    <message>
        <source>solid: A, dashed: B</source>
        <translation>实线：A，虚线：B</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>Channel A</source>
        <translation>通道 A</translation>
    </message>
    <message>
        <source>Channel B</source>
        <translation>通道 B</translation>
    </message>
    <message>
        <source>B divided by A, by magnitude</source>
        <translation>B 除以 A（绝对值）</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SliceSelector</name>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Dimension of the rows</source>
        <translation>行所在的维度</translation>
    </message>
    <message>
        <source>dim %1 (%2)</source>
        <translation>维度 %1（%2）</translation>
    </message>
    <message>
        <source>dim %1</source>
        <translation>维度 %1</translation>
    </message>
    <message>
        <source>Index in dimension %1</source>
        <translation>维度 %1 中的索引</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SpectrumPlot</name>
    <message>
        <source>Singular values</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>singular values</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>Value %1: %2
The first %1 hold %3 % of the energy</source>
        <translation>第 %1 个值：%2
前 %1 个占能量的 %3 %</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SpectrumSection</name>
    <message>
        <source>Axis of the singular values</source>
        <translation>奇异值坐标轴</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>singular values</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>Figures as &amp;CSV…</source>
        <translation>将数值存为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Reads the whole matrix several times to find its largest singular values, and the rows and columns with the most energy</source>
        <translation>多次读取整个矩阵，找出最大的奇异值以及能量最大的行和列</translation>
    </message>
    <message>
        <source>Rows and columns with the most energy</source>
        <translation>能量最大的行和列</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能量</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Share of the sum of all squares; a double click shows the row or column above</source>
        <translation>占全部平方和的比例；双击可在上方显示该行或列</translation>
    </message>
    <message>
        <source>Singular values</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>Measuring singular values</source>
        <translation>正在测量奇异值</translation>
    </message>
    <message numerus="yes">
        <source>All %n singular values.</source>
        <translation>
            <numerusform>全部 %n 个奇异值。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The %n largest singular values hold %1 % of the energy.</source>
        <translation>
            <numerusform>最大的 %n 个奇异值占能量的 %1 %。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Randomised subspace iteration (Halko, Martinsson, Tropp 2011), %n passes; the last one changed no value by more than %1 %.</source>
        <translation>
            <numerusform>随机子空间迭代（Halko、Martinsson、Tropp 2011），读取 %n 遍；最后一遍使各值的变化不超过 %1 %。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n weights are not finite and count as 0.</source>
        <translation>
            <numerusform>%n 个权重不是有限值，按 0 计算。</numerusform>
        </translation>
    </message>
    <message>
        <source>number</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>singular value</source>
        <translation>奇异值</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SplitDialog</name>
    <message>
        <source>Split %1</source>
        <translation>拆分 %1</translation>
    </message>
    <message>
        <source>&amp;Split…</source>
        <translation>拆分(&amp;S)…</translation>
    </message>
    <message>
        <source>The first file contains only the &amp;metadata</source>
        <translation>第一个文件只含元数据(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Verify the tensor data</source>
        <translation>验证张量数据(&amp;V)</translation>
    </message>
    <message>
        <source>by size</source>
        <translation>按大小</translation>
    </message>
    <message>
        <source>by number of tensors</source>
        <translation>按张量数量</translation>
    </message>
    <message>
        <source>How to split</source>
        <translation>拆分方式</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>Tensor data of a file at most</source>
        <translation>每个文件张量数据的上限</translation>
    </message>
    <message>
        <source>Tensors of a file at most</source>
        <translation>每个文件张量数的上限</translation>
    </message>
    <message>
        <source>Reads the files again and compares the SHA-256 of all tensors</source>
        <translation>重新读取各文件，并比较所有张量的 SHA-256</translation>
    </message>
    <message>
        <source>&amp;At most</source>
        <translation>最多(&amp;A)</translation>
    </message>
    <message>
        <source>Everything fits into one file: %1</source>
        <translation>全部内容可放入一个文件：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n files: %1 to %2</source>
        <translation>
            <numerusform>%n 个文件：%1 到 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Split into files that begin with</source>
        <translation>拆分为文件名以此开头的文件</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>%1 exists already. Choose another name, or remove the file first.</source>
        <translation>%1 已存在。请选择其他名称，或先移除该文件。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Stop splitting %1?</source>
        <translation>停止拆分 %1？</translation>
    </message>
    <message>
        <source>What was written so far is discarded.</source>
        <translation>已写入的内容会被丢弃。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::StartPage</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open address, or a repository</source>
        <translation>打开地址或仓库</translation>
    </message>
    <message>
        <source>Reopen closed tab</source>
        <translation>重新打开关闭的标签页</translation>
    </message>
    <message>
        <source>Go to anything</source>
        <translation>转到任意位置</translation>
    </message>
    <message>
        <source>See what is inside a model, and change it</source>
        <translation>查看并修改模型内部</translation>
    </message>
    <message>
        <source>Drop model files here</source>
        <translation>将模型文件拖放到此处</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Sample model</source>
        <translation>示例模型</translation>
    </message>
    <message>
        <source>Open the small chat model that comes with Gufo</source>
        <translation>打开 Gufo 附带的小型聊天模型</translation>
    </message>
    <message>
        <source>or a folder with models in it, or a link to one</source>
        <translation>或含有模型的文件夹，或指向模型的链接</translation>
    </message>
    <message>
        <source>Any GGUF version; shard sets open as one model</source>
        <translation>任意 GGUF 版本；分片组作为一个模型打开</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter recent files</source>
        <translation>筛选最近的文件</translation>
    </message>
    <message>
        <source>Models that you open appear here.</source>
        <translation>打开过的模型显示在此处。</translation>
    </message>
    <message numerus="yes">
        <source>Restore session (%n tabs)</source>
        <translation>
            <numerusform>恢复会话（%n 个标签页）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::StatisticsModel</name>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Std deviation σ</source>
        <translation>标准差 σ</translation>
    </message>
    <message>
        <source>Mean |w|</source>
        <translation>|w| 均值</translation>
    </message>
    <message>
        <source>Skewness</source>
        <translation>偏度</translation>
    </message>
    <message>
        <source>Excess kurtosis</source>
        <translation>超值峰度</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>NaN, infinite</source>
        <translation>NaN、无穷大</translation>
    </message>
    <message>
        <source>The first is weight %1.</source>
        <translation>第一个是权重 %1。</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>gufo::ui::StatusStrip</name>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Structure</name>
    <message>
        <source>attention (%1)</source>
        <translation>注意力（%1）</translation>
    </message>
    <message>
        <source>latent attention</source>
        <translation>潜在注意力</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>(keys and tensors differ)</source>
        <translation>（键与张量不同）</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>Blocks %1 to %2</source>
        <translation>块 %1 到 %2</translation>
    </message>
    <message>
        <source>Latent attention</source>
        <translation>潜在注意力</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Image encoder</source>
        <translation>图像编码器</translation>
    </message>
    <message>
        <source>Audio encoder</source>
        <translation>音频编码器</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>prediction (%1)</source>
        <translation>预测（%1）</translation>
    </message>
    <message numerus="yes">
        <source>%n blocks</source>
        <translation>
            <numerusform>%n 个块</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Blocks and roles by the names of the tensors</source>
        <translation>按张量名称得出的块和角色</translation>
    </message>
    <message>
        <source>%1: blocks and roles by the names of the tensors</source>
        <translation>%1：按张量名称得出的块和角色</translation>
    </message>
    <message>
        <source>The keys cannot be used: %1</source>
        <translation>键无法使用：%1</translation>
    </message>
    <message>
        <source>both branches read the same stream</source>
        <translation>两个分支读取同一残差流</translation>
    </message>
    <message>
        <source>Keys and tensors contradict each other:</source>
        <translation>键与张量互相矛盾：</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>other tensors</source>
        <translation>其他张量</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Other tensors of the block</source>
        <translation>块中的其他张量</translation>
    </message>
</context>
<context>
    <name>gufo::ui::SurgeryDialog</name>
    <message>
        <source>Drop blocks</source>
        <translation>删除块</translation>
    </message>
    <message>
        <source>&amp;Blocks</source>
        <translation>块(&amp;B)</translation>
    </message>
    <message>
        <source>Numbers and ranges, such as 3,7-9; the later blocks move up</source>
        <translation>编号和范围，例如 3,7-9；后面的块前移</translation>
    </message>
    <message>
        <source>Duplicate blocks</source>
        <translation>复制块</translation>
    </message>
    <message>
        <source>Ranges, such as 4-7; a copy of each is put behind it</source>
        <translation>范围，例如 4-7；每个范围的副本放在其后</translation>
    </message>
    <message>
        <source>Write prediction blocks (MTP) to a file</source>
        <translation>将预测块（MTP）写入文件</translation>
    </message>
    <message>
        <source>Remove prediction blocks (MTP)</source>
        <translation>移除预测块（MTP）</translation>
    </message>
    <message>
        <source>Add prediction blocks (MTP) of another file</source>
        <translation>添加另一文件的预测块（MTP）</translation>
    </message>
    <message>
        <source>Keep some experts</source>
        <translation>保留部分专家</translation>
    </message>
    <message>
        <source>&amp;Experts of each block</source>
        <translation>每个块的专家(&amp;E)</translation>
    </message>
    <message>
        <source>How many stay; empty: all that the file below counts or lists</source>
        <translation>保留的个数；留空则保留下方文件统计或列出的全部</translation>
    </message>
    <message>
        <source>Write single tensors in another type</source>
        <translation>以另一种类型写入个别张量</translation>
    </message>
    <message>
        <source>Te&amp;nsors</source>
        <translation>张量(&amp;N)</translation>
    </message>
    <message>
        <source>A regular expression for a part of their names, such as attn_v; norms and the like need their full name</source>
        <translation>匹配部分名称的正则表达式，例如 attn_v；归一化等张量须写出完整名称</translation>
    </message>
    <message>
        <source>Move tensors to a file of their own</source>
        <translation>将张量移到单独的文件</translation>
    </message>
    <message>
        <source>A regular expression for their whole names, such as per_layer_token_embd.* or (v|mm)\..*</source>
        <translation>匹配完整名称的正则表达式，例如 per_layer_token_embd.* 或 (v|mm)\..*</translation>
    </message>
    <message>
        <source>Add a token to the vocabulary</source>
        <translation>向词表添加词元</translation>
    </message>
    <message>
        <source>&amp;Token</source>
        <translation>词元(&amp;T)</translation>
    </message>
    <message>
        <source>Its text, as the vocabulary spells it</source>
        <translation>其文本，按词表的写法</translation>
    </message>
    <message>
        <source>Remove tokens from the vocabulary</source>
        <translation>从词表中移除词元</translation>
    </message>
    <message>
        <source>&amp;Token ids</source>
        <translation>词元 ID(&amp;T)</translation>
    </message>
    <message>
        <source>Such as 5,32000-32063; empty: all unused ones</source>
        <translation>例如 5,32000-32063；留空则移除所有未使用的词元</translation>
    </message>
    <message>
        <source>Surgery on %1</source>
        <translation>改造 %1</translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation>应用(&amp;A)</translation>
    </message>
    <message>
        <source>file with prediction blocks</source>
        <translation>含预测块的文件</translation>
    </message>
    <message>
        <source>importance matrix or list of experts</source>
        <translation>重要性矩阵或专家列表</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Re&amp;view Changes…</source>
        <translation>检查更改(&amp;V)…</translation>
    </message>
    <message>
        <source>the mean of all tokens</source>
        <translation>所有词元的均值</translation>
    </message>
    <message>
        <source>The id of a token; empty: the new row is the mean of all rows</source>
        <translation>词元的 ID；留空则新行取所有行的均值</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>操作(&amp;W)</translation>
    </message>
    <message>
        <source>T&amp;ype</source>
        <translation>类型(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>来源(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Counted or listed in</source>
        <translation>统计或列表文件(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Like the token</source>
        <translation>仿照词元(&amp;L)</translation>
    </message>
    <message>
        <source>What would change is shown here before anything is changed.</source>
        <translation>在进行任何更改之前，此处会显示将要更改的内容。</translation>
    </message>
    <message>
        <source>Key or tensor</source>
        <translation>键或张量</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>不会有任何更改。</translation>
    </message>
    <message>
        <source>%1 → %2 tensors, %3 → %4</source>
        <translation>%1 → %2 个张量，%3 → %4</translation>
    </message>
    <message>
        <source>Write the file</source>
        <translation>写入文件</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Changing %1</source>
        <translation>正在更改 %1</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Stop changing %1?</source>
        <translation>停止更改 %1？</translation>
    </message>
    <message>
        <source>Nothing is changed then.</source>
        <translation>停止后不会更改任何内容。</translation>
    </message>
    <message>
        <source>The model was changed meanwhile. Try again.</source>
        <translation>模型在此期间已被更改。请重试。</translation>
    </message>
    <message>
        <source>Changed, and not saved yet: review the changes and save them, or undo them.</source>
        <translation>已更改但尚未保存：请检查并保存更改，或将其撤销。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TabBar</name>
    <message>
        <source>Open models</source>
        <translation>打开的模型</translation>
    </message>
    <message>
        <source>%1, unsaved changes</source>
        <translation>%1，有未保存的更改</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>关闭标签页</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TabEditing</name>
    <message>
        <source>Saving by %1: %2</source>
        <translation>正在以“%1”方式保存：%2</translation>
    </message>
    <message>
        <source>%1 is being edited in another window or program. Changes made here are lost unless you save, and saving replaces the content of the file.</source>
        <translation>%1 正在另一个窗口或程序中编辑。此处所作的更改如不保存就会丢失，而保存会替换文件的内容。</translation>
    </message>
    <message>
        <source>The draft of the unsaved changes: %1</source>
        <translation>未保存的更改的草稿：%1</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>There are unsaved changes from %1, but they cannot be read.</source>
        <translation>有 %1 留下的未保存更改，但无法读取。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Unsaved changes from %1 — %2</source>
        <translation>%1 留下的未保存更改 — %2</translation>
    </message>
    <message>
        <source>There are unsaved changes from %1, made before the file was changed on disk.</source>
        <translation>有 %1 留下的未保存更改，是在磁盘上的文件更改之前作出的。</translation>
    </message>
    <message>
        <source>There are unsaved changes from %1.</source>
        <translation>有 %1 留下的未保存更改。</translation>
    </message>
    <message>
        <source>It cannot be saved in this way: %1.</source>
        <translation>无法以此方式保存：%1。</translation>
    </message>
    <message>
        <source>There are no changes to save.</source>
        <translation>没有要保存的更改。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>The chat template has an error.</source>
        <translation>聊天模板有错误。</translation>
    </message>
    <message>
        <source>Programs that use this template cannot chat with the model.</source>
        <translation>使用此模板的程序无法与该模型聊天。</translation>
    </message>
    <message>
        <source>Save anyway</source>
        <translation>仍然保存</translation>
    </message>
    <message>
        <source>Save %1 as</source>
        <translation>将 %1 另存为</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>%1 is open in another tab. Close it there, or choose another name.</source>
        <translation>%1 已在另一个标签页中打开。请在那里关闭它，或选择其他名称。</translation>
    </message>
    <message>
        <source>The model is being saved.</source>
        <translation>正在保存模型。</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Saving as %1…</source>
        <translation>正在另存为 %1…</translation>
    </message>
    <message>
        <source>Saving was cancelled. The file is unchanged.</source>
        <translation>保存已取消。文件没有改变。</translation>
    </message>
    <message>
        <source>%1 should be saved under another name.</source>
        <translation>%1 应以其他名称保存。</translation>
    </message>
    <message>
        <source>%1 was not saved.</source>
        <translation>%1 没有保存。</translation>
    </message>
    <message>
        <source>The changes are kept, and the file is unchanged.</source>
        <translation>更改会保留，文件没有改变。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save here anyway</source>
        <translation>仍在此保存</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>It has not been saved, so that nothing is lost. Your changes are kept.</source>
        <translation>它没有保存，因此没有丢失任何内容。更改会保留。</translation>
    </message>
    <message>
        <source>The weights that were read before no longer exist, so this version cannot be saved under another name.</source>
        <translation>先前读取的权重已不存在，因此无法将此版本以其他名称保存。</translation>
    </message>
    <message>
        <source>Keep my changes</source>
        <translation>保留我的更改</translation>
    </message>
    <message>
        <source>Read the file again and make the changes there</source>
        <translation>重新读取文件，并在其中更改</translation>
    </message>
    <message>
        <source>Discard them</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Revert all changes</source>
        <translation>还原所有更改</translation>
    </message>
    <message>
        <source>Revert the unsaved change of %1?</source>
        <translation>还原 %1 的未保存的更改？</translation>
    </message>
    <message numerus="yes">
        <source>Revert all %n unsaved changes of %1?</source>
        <translation>
            <numerusform>还原 %1 的全部 %n 项未保存的更改？</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo restores them.</source>
        <translation>“撤销”可恢复它们。</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TabStrip</name>
    <message>
        <source>New tab (Ctrl+T)</source>
        <translation>新建标签页 (Ctrl+T)</translation>
    </message>
    <message>
        <source>New tab</source>
        <translation>新建标签页</translation>
    </message>
    <message>
        <source>List of tabs (Ctrl+Shift+A)</source>
        <translation>标签页列表 (Ctrl+Shift+A)</translation>
    </message>
    <message>
        <source>List of tabs</source>
        <translation>标签页列表</translation>
    </message>
    <message>
        <source>%1 (unsaved changes)</source>
        <translation>%1（有未保存的更改）</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateBox</name>
    <message>
        <source>Chat template</source>
        <translation>聊天模板</translation>
    </message>
    <message>
        <source>%1 (draft)</source>
        <translation>%1（草稿）</translation>
    </message>
    <message>
        <source>The server&apos;s own</source>
        <translation>服务器自己的模板</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>从文件…</translation>
    </message>
    <message>
        <source>Chat template from a file</source>
        <translation>来自文件的聊天模板</translation>
    </message>
    <message>
        <source>Templates (*.jinja *.j2 *.txt);;All files (*)</source>
        <translation>模板 (*.jinja *.j2 *.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateDiffPage</name>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>File compared with the reference</source>
        <translation>与参照比较的文件</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>比较的内容</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源文本</translation>
    </message>
    <message>
        <source>The text of both templates</source>
        <translation>两个模板的文本</translation>
    </message>
    <message>
        <source>Rendered</source>
        <translation>渲染结果</translation>
    </message>
    <message>
        <source>What both templates make of the same conversations: a question, several turns, tools, thoughts and others</source>
        <translation>两个模板对相同对话的渲染结果：一个问题、多个轮次、工具、思考等</translation>
    </message>
    <message>
        <source>Previous change</source>
        <translation>上一处更改</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>下一处更改</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Lines of both templates</source>
        <translation>两个模板的行</translation>
    </message>
    <message>
        <source>No chat template</source>
        <translation>没有聊天模板</translation>
    </message>
    <message>
        <source>None of the files has one.</source>
        <translation>所有文件都没有聊天模板。</translation>
    </message>
    <message numerus="yes">
        <source>%n conversations</source>
        <translation>
            <numerusform>%n 段对话</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 rendered differently</source>
        <translation>渲染不同：%1 段（共 %2）</translation>
    </message>
    <message>
        <source>Neither renders any of %1</source>
        <translation>两者都无法渲染任何一段（共 %1）</translation>
    </message>
    <message>
        <source>They render the same: %1 tried, %2 refused by both</source>
        <translation>渲染结果相同：试验了 %1，其中 %2 段被两者拒绝</translation>
    </message>
    <message>
        <source>They render the same: %1 tried</source>
        <translation>渲染结果相同：试验了 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n lines differ</source>
        <translation>
            <numerusform>%n 行不同</numerusform>
        </translation>
    </message>
    <message>
        <source>The templates are the same</source>
        <translation>模板相同</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateDiffView</name>
    <message>
        <source>Difference from the saved template</source>
        <translation>与已保存模板的差异</translation>
    </message>
    <message>
        <source>The template has no unsaved changes.</source>
        <translation>模板没有未保存的更改。</translation>
    </message>
    <message numerus="yes">
        <source>  … %n unchanged lines</source>
        <translation>
            <numerusform>  … %n 行未改变</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateDifferenceDialog</name>
    <message>
        <source>Chat template</source>
        <translation>聊天模板</translation>
    </message>
    <message>
        <source>From the base model&apos;s template to that of %1</source>
        <translation>从基础模型的模板到 %1 的模板</translation>
    </message>
    <message>
        <source>From the template of most files to that of %1</source>
        <translation>从多数文件的模板到 %1 的模板</translation>
    </message>
    <message>
        <source>Differences of the templates</source>
        <translation>模板的差异</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message numerus="yes">
        <source>%n lines removed</source>
        <translation>
            <numerusform>移除 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines added</source>
        <translation>
            <numerusform>添加 %n 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplateEditor</name>
    <message>
        <source>Chat template</source>
        <translation>聊天模板</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TemplatePage</name>
    <message>
        <source>Fix: %1</source>
        <translation>修复：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 已更改</translation>
    </message>
    <message numerus="yes">
        <source>%n errors</source>
        <translation>
            <numerusform>%n 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation>
            <numerusform>%n 个警告</numerusform>
        </translation>
    </message>
    <message>
        <source>Colours: control and user-defined tokens</source>
        <translation>颜色：控制词元和用户定义的词元</translation>
    </message>
    <message>
        <source>control</source>
        <translation>控制</translation>
    </message>
    <message>
        <source>user-defined</source>
        <translation>用户定义</translation>
    </message>
    <message>
        <source>Show the rendering as</source>
        <translation>渲染结果的显示形式</translation>
    </message>
    <message>
        <source>Show white space</source>
        <translation>显示空白字符</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Special tokens are marked</source>
        <translation>标出特殊词元</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>All tokens are marked</source>
        <translation>标出所有词元</translation>
    </message>
    <message>
        <source>Rendering</source>
        <translation>渲染结果</translation>
    </message>
    <message>
        <source>How answers are written</source>
        <translation>回答的书写方式</translation>
    </message>
    <message>
        <source>Last rendering: the conversation is not valid JSON.</source>
        <translation>上一次渲染结果：对话不是有效的 JSON。</translation>
    </message>
    <message>
        <source>Nothing has been rendered yet.</source>
        <translation>尚未渲染任何内容。</translation>
    </message>
    <message>
        <source>Last rendering, before the conversation was changed.</source>
        <translation>对话更改之前的上一次渲染结果。</translation>
    </message>
    <message>
        <source>Last working version, before line %1 was changed.</source>
        <translation>更改第 %1 行之前上一个可用的版本。</translation>
    </message>
    <message>
        <source>Last working version.</source>
        <translation>上一个可用的版本。</translation>
    </message>
    <message numerus="yes">
        <source>Only the first %n of %1 characters are shown.</source>
        <translation>
            <numerusform>只显示 %1 个字符中的前 %n 个。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Add a template</source>
        <translation>添加模板</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>Chat with draft</source>
        <translation>用草稿聊天</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>The templates of the model: tokenizer.chat_template and tokenizer.chat_template.NAME</source>
        <translation>模型的模板：tokenizer.chat_template 和 tokenizer.chat_template.NAME</translation>
    </message>
    <message>
        <source>Search the template; Return goes to the next, Shift+Return to the previous</source>
        <translation>搜索模板；回车键转到下一处，Shift+回车键转到上一处</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Diff from saved</source>
        <translation>与已存版本对比</translation>
    </message>
    <message>
        <source>Show the differences from the template in the file</source>
        <translation>显示与文件中模板的差异</translation>
    </message>
    <message>
        <source>Audit: find out whether the template does more than arrange the conversation, and what it does wrong</source>
        <translation>审计：找出模板除了编排对话之外还做了什么，以及有哪些错误</translation>
    </message>
    <message>
        <source>Chat with the model through this template, including unsaved changes</source>
        <translation>通过此模板与模型聊天，包括未保存的更改</translation>
    </message>
    <message>
        <source>Load from File…</source>
        <translation>从文件加载…</translation>
    </message>
    <message>
        <source>Save to File…</source>
        <translation>保存到文件…</translation>
    </message>
    <message>
        <source>Audit Template</source>
        <translation>审计模板</translation>
    </message>
    <message>
        <source>Add Template…</source>
        <translation>添加模板…</translation>
    </message>
    <message>
        <source>Delete This Template</source>
        <translation>删除此模板</translation>
    </message>
    <message>
        <source>Revert to the template in the file</source>
        <translation>还原为文件中的模板</translation>
    </message>
    <message>
        <source>This template has not been saved to the file yet</source>
        <translation>此模板尚未保存到文件</translation>
    </message>
    <message>
        <source>No chat template in this file</source>
        <translation>此文件没有聊天模板</translation>
    </message>
    <message>
        <source>Chat programs need a template that gives the format in which the model was trained to read conversations. Base models and adapters have none.</source>
        <translation>聊天程序需要模板，才能得知模型训练时所用的对话格式。基础模型和适配器没有模板。</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>重置 %1</translation>
    </message>
    <message>
        <source>The chat templates cannot be read</source>
        <translation>无法读取聊天模板</translation>
    </message>
    <message>
        <source>Jinja</source>
        <translation>Jinja</translation>
    </message>
    <message>
        <source>Rendered in under 1 ms</source>
        <translation>渲染用时不到 1 毫秒</translation>
    </message>
    <message>
        <source>Rendered in %1 ms</source>
        <translation>渲染用时 %1 毫秒</translation>
    </message>
    <message>
        <source>Line %1, column %2</source>
        <translation>第 %1 行第 %2 列</translation>
    </message>
    <message>
        <source>The key %1 already exists.</source>
        <translation>键 %1 已存在。</translation>
    </message>
    <message>
        <source>Add template %1</source>
        <translation>添加模板 %1</translation>
    </message>
    <message>
        <source>Delete template %1</source>
        <translation>删除模板 %1</translation>
    </message>
    <message>
        <source>Name of the template, for example tool_use or rag:</source>
        <translation>模板的名称，例如 tool_use 或 rag：</translation>
    </message>
    <message>
        <source>Load a template</source>
        <translation>加载模板</translation>
    </message>
    <message>
        <source>Templates (*.jinja *.jinja2 *.j2 *.txt tokenizer_config.json)</source>
        <translation>模板 (*.jinja *.jinja2 *.j2 *.txt tokenizer_config.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Save the template</source>
        <translation>保存模板</translation>
    </message>
    <message>
        <source>Jinja templates (*.jinja)</source>
        <translation>Jinja 模板 (*.jinja)</translation>
    </message>
    <message>
        <source>Load %1</source>
        <translation>加载 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorDetail</name>
    <message>
        <source>No tensors</source>
        <translation>没有张量</translation>
    </message>
    <message>
        <source>No tensor selected</source>
        <translation>没有选择张量</translation>
    </message>
    <message>
        <source>This file has metadata only.</source>
        <translation>此文件只有元数据。</translation>
    </message>
    <message>
        <source>Select one in the list to see its contents.</source>
        <translation>在列表中选择一个张量以查看其内容。</translation>
    </message>
    <message>
        <source>%1 bits/weight</source>
        <translation>%1 位/权重</translation>
    </message>
    <message numerus="yes">
        <source>%1 weights</source>
        <translation>
            <numerusform>%1 个权重</numerusform>
        </translation>
    </message>
    <message>
        <source>No weights</source>
        <translation>没有权重</translation>
    </message>
    <message>
        <source>A dimension of this tensor is 0.</source>
        <translation>此张量有一个维度为 0。</translation>
    </message>
    <message>
        <source>No bytes to show</source>
        <translation>没有可显示的字节</translation>
    </message>
    <message>
        <source>The file ends within this tensor: %1 of %2 are present.</source>
        <translation>文件在此张量内结束：%2 中只有 %1。</translation>
    </message>
    <message>
        <source>The file ends before this tensor starts.</source>
        <translation>文件在此张量开始之前就结束了。</translation>
    </message>
    <message>
        <source>Values of type %1 cannot be decoded. These are its encoded bytes.</source>
        <translation>无法解码类型 %1 的值。以下是其编码字节。</translation>
    </message>
    <message>
        <source>Not fetched yet</source>
        <translation>尚未获取</translation>
    </message>
    <message>
        <source>The weights of this tensor are on %1. Its histogram, statistics and map need all of them.</source>
        <translation>此张量的权重位于 %1。其直方图、统计和热力图需要全部权重。</translation>
    </message>
    <message>
        <source>Fetch %1</source>
        <translation>获取 %1</translation>
    </message>
    <message>
        <source>Fetch the weights of this tensor from %1</source>
        <translation>从 %1 获取此张量的权重</translation>
    </message>
    <message numerus="yes">
        <source>Dequantised %1 weights in %2 ms</source>
        <translation>
            <numerusform>已反量化 %1 个权重，用时 %2 毫秒</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Read %1 weights in %2 ms</source>
        <translation>
            <numerusform>已读取 %1 个权重，用时 %2 毫秒</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading weights</source>
        <translation>正在读取权重</translation>
    </message>
    <message>
        <source>File offset %1</source>
        <translation>文件偏移 %1</translation>
    </message>
    <message numerus="yes">
        <source>Block %1 bytes, %n weights</source>
        <translation>
            <numerusform>分块 %1 字节，%n 个权重</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bytes per weight</source>
        <translation>
            <numerusform>每权重 %n 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>Alignment %1</source>
        <translation>对齐 %1</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>&amp;Histogram</source>
        <translation>直方图(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Map of weights</source>
        <translation>权重热力图(&amp;M)</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>The tensor&apos;s facts and statistics as text</source>
        <translation>以文本形式复制张量的信息和统计</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorEdits</name>
    <message>
        <source>Re&amp;name</source>
        <translation>重命名(&amp;N)</translation>
    </message>
    <message>
        <source>Rename by &amp;pattern…</source>
        <translation>按模式重命名(&amp;P)…</translation>
    </message>
    <message>
        <source>I&amp;mport tensors from another model…</source>
        <translation>从另一个模型导入张量(&amp;M)…</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>Re&amp;vert this change</source>
        <translation>还原此更改(&amp;V)</translation>
    </message>
    <message>
        <source>De&amp;lete</source>
        <translation>删除(&amp;L)</translation>
    </message>
    <message>
        <source>Tensors can be moved only in the table, in file order and without a filter.</source>
        <translation>只有在表格中、按文件顺序且未筛选时，才能移动张量。</translation>
    </message>
    <message>
        <source>Show &amp;bytes</source>
        <translation>显示字节(&amp;B)</translation>
    </message>
    <message>
        <source>%1 keeps its name: %2.</source>
        <translation>%1 保持原名：%2。</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>重命名 %1</translation>
    </message>
    <message>
        <source>Rename a tensor</source>
        <translation>重命名张量</translation>
    </message>
    <message numerus="yes">
        <source>Rename %n tensors</source>
        <translation>
            <numerusform>重命名 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n tensors</source>
        <translation>
            <numerusform>删除 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message numerus="yes">
        <source>Move %n tensors</source>
        <translation>
            <numerusform>移动 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>Import %1 from %2</source>
        <translation>从 %2 导入 %1</translation>
    </message>
    <message numerus="yes">
        <source>Import %n tensors from %1</source>
        <translation>
            <numerusform>从 %1 导入 %n 个张量</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorExport</name>
    <message>
        <source>Values as &amp;NumPy array…</source>
        <translation>将值存为 NumPy 数组(&amp;N)…</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Values as &amp;CSV…</source>
        <translation>将值存为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Values as raw &amp;floats…</source>
        <translation>将值存为原始浮点数(&amp;F)…</translation>
    </message>
    <message>
        <source>Little-endian 32-bit floats (*.f32)</source>
        <translation>小端 32 位浮点数 (*.f32)</translation>
    </message>
    <message>
        <source>Encoded &amp;bytes…</source>
        <translation>编码字节(&amp;B)…</translation>
    </message>
    <message>
        <source>Encoded bytes (*.bin)</source>
        <translation>编码字节 (*.bin)</translation>
    </message>
    <message>
        <source>Export values</source>
        <translation>导出值</translation>
    </message>
    <message>
        <source>Export plot</source>
        <translation>导出图表</translation>
    </message>
    <message>
        <source>&amp;Copy as picture</source>
        <translation>复制为图片(&amp;C)</translation>
    </message>
    <message>
        <source>Picture &amp;options…</source>
        <translation>图片选项(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Figures as CSV…</source>
        <translation>将数值存为 CSV(&amp;F)…</translation>
    </message>
    <message>
        <source>Export figures</source>
        <translation>导出数值</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorImportModel</name>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>replaces</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>another shape</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>incomplete in its file</source>
        <translation>在其文件中不完整</translation>
    </message>
    <message>
        <source>has an unknown type</source>
        <translation>类型未知</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>作用</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorList</name>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n tensors</source>
        <translation>
            <numerusform>%n 个张量中的 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 weights</source>
        <translation>
            <numerusform>%1 个权重</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n analysed</source>
        <translation>
            <numerusform>已分析 %n 个中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Fetch %1 to sort all</source>
        <translation>获取 %1 以便全部排序</translation>
    </message>
    <message>
        <source>Tensors whose weights are still on %1 come last</source>
        <translation>权重仍位于 %1 的张量排在最后</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>筛选张量</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>A tree by block, then role</source>
        <translation>先按块、再按角色的树</translation>
    </message>
    <message>
        <source>Roles</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>A tree by role, then block</source>
        <translation>先按角色、再按块的树</translation>
    </message>
    <message>
        <source>Columns and options of the list</source>
        <translation>列和列表选项</translation>
    </message>
    <message>
        <source>Options of the list</source>
        <translation>列表选项</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Tree of tensors</source>
        <translation>张量树</translation>
    </message>
    <message>
        <source>Filter is a &amp;regular expression</source>
        <translation>筛选为正则表达式(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Expand all</source>
        <translation>全部展开(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Collapse all</source>
        <translation>全部折叠(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;File order</source>
        <translation>文件顺序(&amp;F)</translation>
    </message>
    <message>
        <source>C&amp;olumns</source>
        <translation>列(&amp;O)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorTreeModel</name>
    <message>
        <source>several</source>
        <translation>多种</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TensorsPage</name>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TextPane</name>
    <message>
        <source>Copy the whole value as it is</source>
        <translation>按原样复制整个值</translation>
    </message>
    <message>
        <source>Close the text</source>
        <translation>关闭文本</translation>
    </message>
    <message>
        <source>%1 keeps its value. %2</source>
        <translation>%1 的值保持不变。%2</translation>
    </message>
    <message numerus="yes">
        <source>str, %1 bytes</source>
        <translation>
            <numerusform>str，%1 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, of which the first %2 are shown; Copy copies all</source>
        <translation>%1，显示前 %2；“复制”会复制全部</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n lines</source>
        <translation>
            <numerusform>%1，%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Too long to be edited here. Use its context menu in the table to load it from a file.</source>
        <translation>过长，无法在此编辑。可用表格中的右键菜单从文件加载。</translation>
    </message>
    <message>
        <source>Shown with escapes: \r, \xNN for a byte, \\ for a backslash.</source>
        <translation>以转义显示：\r，\xNN 表示字节，\\ 表示反斜杠。</translation>
    </message>
    <message>
        <source>%1 Escape restores the text as it was.</source>
        <translation>%1 Escape 恢复文本原状。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenCard</name>
    <message>
        <source>&lt; 0.001 %</source>
        <translation>&lt; 0.001%</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Continue from here</source>
        <translation>从此处继续</translation>
    </message>
    <message>
        <source>Try another</source>
        <translation>另试一个</translation>
    </message>
    <message>
        <source>Candidates of the token</source>
        <translation>该词元的候选</translation>
    </message>
    <message>
        <source>id %1</source>
        <translation>ID %1</translation>
    </message>
    <message>
        <source>no id reported</source>
        <translation>未提供 ID</translation>
    </message>
    <message>
        <source>%1, sampled as no. %2 of %3 remaining candidates</source>
        <translation>%1，采样时在剩余 %3 个候选中排第 %2</translation>
    </message>
    <message>
        <source>%1, no. %2</source>
        <translation>%1，第 %2 位</translation>
    </message>
    <message>
        <source>probabilities after the samplers</source>
        <translation>采样器之后的概率</translation>
    </message>
    <message>
        <source>removed by %1</source>
        <translation>由 %1 移除</translation>
    </message>
    <message>
        <source>%1 all others</source>
        <translation>%1 其余全部</translation>
    </message>
    <message>
        <source>entropy %1 bits</source>
        <translation>熵 %1 比特</translation>
    </message>
    <message>
        <source>Keep the answer up to and including this token, and generate the rest again</source>
        <translation>保留回答直到此词元（含），并重新生成其余部分</translation>
    </message>
    <message>
        <source>Sample another candidate, and generate the rest again</source>
        <translation>采样另一个候选，并重新生成其余部分</translation>
    </message>
    <message>
        <source>Use this token instead, and generate the rest again</source>
        <translation>改用此词元，并重新生成其余部分</translation>
    </message>
    <message>
        <source>Look inside</source>
        <translation>查看内部</translation>
    </message>
    <message>
        <source>Show to which tokens the model looked here, and what happened in its blocks</source>
        <translation>显示模型在此处关注哪些词元，以及各块中发生的情况</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenDetails</name>
    <message>
        <source>Select a token to see its details.</source>
        <translation>选择词元以查看其细节。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Go to this token</source>
        <translation>转到此词元</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Stored as</source>
        <translation>存储为</translation>
    </message>
    <message numerus="yes">
        <source>%1 bytes</source>
        <translation>
            <numerusform>%1 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>Stands for</source>
        <translation>代表</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Used as</source>
        <translation>用作</translation>
    </message>
    <message>
        <source>Merge rule %1</source>
        <translation>合并规则 %1</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Pre-tokenizer</source>
        <translation>预分词器</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Merge rules</source>
        <translation>合并规则</translation>
    </message>
    <message>
        <source>Other types</source>
        <translation>其他类型</translation>
    </message>
    <message>
        <source>Adds BOS</source>
        <translation>添加 BOS</translation>
    </message>
    <message>
        <source>Adds EOS</source>
        <translation>添加 EOS</translation>
    </message>
    <message>
        <source>Adds a leading space</source>
        <translation>添加前导空格</translation>
    </message>
    <message>
        <source>%1, not in the vocabulary</source>
        <translation>%1，不在词表中</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenEdit</name>
    <message>
        <source>untyped</source>
        <translation>无类型</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>普通</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>control</source>
        <translation>控制</translation>
    </message>
    <message>
        <source>user-defined</source>
        <translation>用户定义</translation>
    </message>
    <message>
        <source>unused</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>byte</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>%1  id %2, %3</source>
        <translation>%1  ID %2，%3</translation>
    </message>
    <message>
        <source>, score %1</source>
        <translation>，分数 %1</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenFlow</name>
    <message>
        <source>Tokens with their ids</source>
        <translation>词元及其 ID</translation>
    </message>
    <message>
        <source>%1  id %2</source>
        <translation>%1  ID %2</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenInspector</name>
    <message>
        <source>Not for this token: which tokens were read before it is not known</source>
        <translation>不适用于此词元：不知道在它之前读取了哪些词元</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenModel</name>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Id of the token</source>
        <translation>词元的 ID</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Text of the token as the file stores it</source>
        <translation>文件中存储的词元文本</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Bytes of text that the token stands for, hexadecimal</source>
        <translation>词元所代表的文本字节，十六进制</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Kind of token</source>
        <translation>词元的种类</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Its log-probability, or the order of its merge</source>
        <translation>其对数概率，或其合并的次序</translation>
    </message>
    <message>
        <source>Merged from</source>
        <translation>合并自</translation>
    </message>
    <message>
        <source>Rank of the merge rule that produces it, and its parts</source>
        <translation>产生它的合并规则的优先级及其各部分</translation>
    </message>
    <message>
        <source>Was: %1</source>
        <translation>原值：%1</translation>
    </message>
    <message>
        <source>Change token %1</source>
        <translation>更改词元 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenPicker</name>
    <message>
        <source>Text or id of a token</source>
        <translation>词元的文本或 ID</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Choose a token</source>
        <translation>选择词元</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>正在搜索</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenText</name>
    <message>
        <source>Tokens of the text</source>
        <translation>文本的词元</translation>
    </message>
    <message>
        <source>Token %1: %2</source>
        <translation>词元 %1：%2</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>difference %1</source>
        <translation>差 %1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TokenizerPage</name>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Add tokens at the end, with their scores and types</source>
        <translation>在末尾添加词元，连同分数和类型</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>&amp;Edit	F2</source>
        <translation>编辑(&amp;E)	F2</translation>
    </message>
    <message>
        <source>&amp;Type of the selected tokens</source>
        <translation>所选词元的类型(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Add tokens…</source>
        <translation>添加词元(&amp;A)…</translation>
    </message>
    <message>
        <source>Change token %1</source>
        <translation>更改词元 %1</translation>
    </message>
    <message numerus="yes">
        <source>Change the type of %n tokens</source>
        <translation>
            <numerusform>更改 %n 个词元的类型</numerusform>
        </translation>
    </message>
    <message>
        <source>Changing types</source>
        <translation>正在更改类型</translation>
    </message>
    <message>
        <source>Add a token</source>
        <translation>添加词元</translation>
    </message>
    <message numerus="yes">
        <source>Add %n tokens</source>
        <translation>
            <numerusform>添加 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Search tokens</source>
        <translation>搜索词元</translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>Add tokens…</source>
        <translation>添加词元…</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Merge rules</source>
        <translation>合并规则</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>merge rules</source>
        <translation>合并规则</translation>
    </message>
    <message>
        <source>Merges</source>
        <translation>合并规则</translation>
    </message>
    <message>
        <source>Merge rules in rank order</source>
        <translation>按优先级排列的合并规则</translation>
    </message>
    <message>
        <source>in text</source>
        <translation>在文本中</translation>
    </message>
    <message>
        <source>in bytes</source>
        <translation>在字节中</translation>
    </message>
    <message>
        <source>Search in</source>
        <translation>搜索范围</translation>
    </message>
    <message>
        <source>Text as stored or as decoded, or hexadecimal bytes: E2 96 81</source>
        <translation>存储或解码的文本，或十六进制字节：E2 96 81</translation>
    </message>
    <message>
        <source>Type of token</source>
        <translation>词元的类型</translation>
    </message>
    <message>
        <source>All types</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>Go to id</source>
        <translation>转到 ID</translation>
    </message>
    <message>
        <source>Go to one of the file&apos;s special tokens</source>
        <translation>转到文件的特殊词元之一</translation>
    </message>
    <message>
        <source>The vocabulary cannot be read</source>
        <translation>无法读取词表</translation>
    </message>
    <message>
        <source>tokenizer.ggml.tokens is %1, not a list of strings.</source>
        <translation>tokenizer.ggml.tokens 为 %1，而不是字符串列表。</translation>
    </message>
    <message>
        <source>No vocabulary in this file</source>
        <translation>此文件没有词表</translation>
    </message>
    <message>
        <source>It has no tokenizer.ggml.tokens. Adapters, projectors and shards after the first usually have none.</source>
        <translation>它没有 tokenizer.ggml.tokens。适配器、投影器和除第一个以外的分片通常没有。</translation>
    </message>
    <message>
        <source>Reading the vocabulary</source>
        <translation>正在读取词表</translation>
    </message>
    <message>
        <source>Linking tokens and merges</source>
        <translation>正在关联词元与合并规则</translation>
    </message>
    <message>
        <source>not in the vocabulary</source>
        <translation>不在词表中</translation>
    </message>
    <message>
        <source>Not hexadecimal</source>
        <translation>不是十六进制</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>No token %1; the last is %2</source>
        <translation>没有词元 %1；最后一个是 %2</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>分布图</translation>
    </message>
    <message>
        <source>The embeddings of tokens in the plane of their first two principal components</source>
        <translation>词元嵌入在前两个主成分平面上的位置</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n selected tokens</source>
        <translation>
            <numerusform>选中的 %n 个词元中的 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n tokens that the search found</source>
        <translation>
            <numerusform>搜索到的 %n 个词元中的 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %1 of %n tokens. A search, or a selection in the table, chooses others.</source>
        <translation>
            <numerusform>%n 个词元中的前 %1 个。可用搜索或在表中选择来指定其他词元。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::ToolDialog</name>
    <message>
        <source>&amp;Open It</source>
        <translation>打开结果(&amp;O)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ToolsEdit</name>
    <message>
        <source>A list of tools as JSON: [{&quot;type&quot;: &quot;function&quot;, &quot;function&quot;: {…}}]</source>
        <translation>JSON 格式的工具列表：[{&quot;type&quot;: &quot;function&quot;, &quot;function&quot;: {…}}]</translation>
    </message>
    <message>
        <source>Tools as JSON</source>
        <translation>工具，JSON 格式</translation>
    </message>
    <message>
        <source>Valid JSON</source>
        <translation>有效的 JSON</translation>
    </message>
    <message>
        <source>Not valid JSON</source>
        <translation>不是有效的 JSON</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TradeOff</name>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>Recurrent</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Other tensors</source>
        <translation>其他张量</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TradeOffModel</name>
    <message>
        <source>too large</source>
        <translation>过大</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>frontier</source>
        <translation>前沿</translation>
    </message>
    <message>
        <source>%1 is better</source>
        <translation>%1 更好</translation>
    </message>
    <message>
        <source>Running it takes %1</source>
        <translation>运行需要 %1</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TradeOffPage</name>
    <message>
        <source>Trade-off</source>
        <translation>权衡</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>文件大小</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>整个模型</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>Memory to run the file, with a context of %1 tokens: the best file that fits is chosen</source>
        <translation>以 %1 个词元的上下文运行文件所需的内存：选择可放下的最佳文件</translation>
    </message>
    <message>
        <source>Frontier</source>
        <translation>前沿</translation>
    </message>
    <message>
        <source>trade-off</source>
        <translation>权衡</translation>
    </message>
    <message>
        <source>Size against quality</source>
        <translation>大小与质量</translation>
    </message>
    <message>
        <source>Figures as &amp;CSV…</source>
        <translation>将数值存为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Files by size and quality</source>
        <translation>文件，按大小和质量</translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation>重要性矩阵</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>没有可比较的内容</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>尚无结果</translation>
    </message>
    <message>
        <source>No file differs from the reference in these tensors by this metric.</source>
        <translation>按此指标，没有文件在这些张量上与参照不同。</translation>
    </message>
    <message>
        <source>Points appear as tensors are compared.</source>
        <translation>各点随张量的比较逐渐显示。</translation>
    </message>
    <message>
        <source>Chosen file</source>
        <translation>所选文件</translation>
    </message>
    <message>
        <source>No file runs within %1</source>
        <translation>没有文件能在 %1 内运行</translation>
    </message>
    <message>
        <source>The best that fits into %1</source>
        <translation>可放入 %1 的最佳文件</translation>
    </message>
    <message>
        <source>On the efficient frontier</source>
        <translation>位于有效前沿上</translation>
    </message>
    <message>
        <source>Size %1</source>
        <translation>大小 %1</translation>
    </message>
    <message>
        <source>%1 of memory to run</source>
        <translation>运行需要 %1 内存</translation>
    </message>
    <message>
        <source>%1 bits per weight</source>
        <translation>每权重 %1 位</translation>
    </message>
    <message>
        <source>%1 % of the reference&apos;s size</source>
        <translation>参照大小的 %1%</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TradeOffPlot</name>
    <message>
        <source>Size against quality</source>
        <translation>大小与质量</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 与 %2</translation>
    </message>
    <message>
        <source>Size, %1</source>
        <translation>大小，%1</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>efficient frontier</source>
        <translation>有效前沿</translation>
    </message>
    <message>
        <source>not on it</source>
        <translation>不在前沿上</translation>
    </message>
    <message>
        <source>%1 bits/weight</source>
        <translation>%1 位/权重</translation>
    </message>
    <message>
        <source>on the efficient frontier</source>
        <translation>位于有效前沿上</translation>
    </message>
    <message>
        <source>%1 is better</source>
        <translation>%1 更好</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Transcript</name>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message numerus="yes">
        <source>Reading the prompt: %1 of %n tokens</source>
        <translation>
            <numerusform>正在读取提示词：%n 个词元中的 %1 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gufo::ui::TurnView</name>
    <message>
        <source>stopped at the maximum length</source>
        <translation>已达最大长度而停止</translation>
    </message>
    <message>
        <source>the context is full</source>
        <translation>上下文已满</translation>
    </message>
    <message>
        <source>the grammar allows no further token</source>
        <translation>语法不允许更多词元</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>ended by the server&apos;s content filter</source>
        <translation>被服务器的内容过滤器结束</translation>
    </message>
    <message>
        <source>refused by the server</source>
        <translation>被服务器拒绝</translation>
    </message>
    <message>
        <source>ended by a stop string</source>
        <translation>遇到停止字符串而结束</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Continue the answer</source>
        <translation>继续回答</translation>
    </message>
    <message>
        <source>Delete, with what follows</source>
        <translation>连同后续内容一起删除</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Message of %1</source>
        <translation>%1的消息</translation>
    </message>
    <message>
        <source>Beginning of a text, which the model continues</source>
        <translation>由模型续写的文本开头</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>mean probability %1</source>
        <translation>平均概率 %1</translation>
    </message>
    <message>
        <source>no tokens: the model ended its answer immediately</source>
        <translation>没有词元：模型立即结束了回答</translation>
    </message>
    <message>
        <source>written by you</source>
        <translation>由用户撰写</translation>
    </message>
    <message numerus="yes">
        <source>The %n oldest messages do not fit into the context and were left out.</source>
        <translation>
            <numerusform>最早的 %n 条消息放不进上下文，已略去。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n older tokens do not fit into the context and were left out.</source>
        <translation>
            <numerusform>较早的 %n 个词元放不进上下文，已略去。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events of the server could not be read and were skipped: the answer may be incomplete.</source>
        <translation>
            <numerusform>服务器的 %n 个事件无法读取，已跳过：回答可能不完整。</numerusform>
        </translation>
    </message>
    <message>
        <source>Version %1 of %2</source>
        <translation>版本 %1 / %2</translation>
    </message>
    <message>
        <source>Continue the text</source>
        <translation>续写文本</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>用户消息</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Ask this instead; the other version is kept (Enter)</source>
        <translation>改为提出此问题；另一个版本会保留 (Enter)</translation>
    </message>
    <message>
        <source>Use this as the answer; the other version is kept (Enter)</source>
        <translation>用作回答；另一个版本会保留 (Enter)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TypeBar</name>
    <message>
        <source>Bytes by tensor type</source>
        <translation>字节，按张量类型</translation>
    </message>
    <message>
        <source>Other types</source>
        <translation>其他类型</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 %</source>
        <translation>%1，%2%</translation>
    </message>
    <message>
        <source>size not known</source>
        <translation>大小未知</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n types</source>
        <translation>
            <numerusform>%1，%n 种类型</numerusform>
        </translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TypeDelegate</name>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
</context>
<context>
    <name>gufo::ui::TypeMap</name>
    <message>
        <source>Types of the tensors by block and role</source>
        <translation>张量的类型，按块和角色</translation>
    </message>
    <message>
        <source>Block %1 has no %2</source>
        <translation>块 %1 没有 %2</translation>
    </message>
    <message>
        <source>%1, %2, %3 bits/weight</source>
        <translation>%1，%2，每权重 %3 位</translation>
    </message>
    <message>
        <source>relative squared error %1, expected KL %2 nats</source>
        <translation>相对平方误差 %1，预期 KL %2 nat</translation>
    </message>
    <message>
        <source>block</source>
        <translation>块</translation>
    </message>
</context>
<context>
    <name>gufo::ui::UnsavedQuestion</name>
    <message numerus="yes">
        <source>%n unsaved changes</source>
        <translation>
            <numerusform>%n 项未保存的更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1 is being saved. Close it when that is done, or cancel the save first.</source>
        <translation>正在保存 %1。请在保存完成后关闭，或先取消保存。</translation>
    </message>
    <message>
        <source>The text being typed in %1 is not valid.</source>
        <translation>正在 %1 中输入的文本无效。</translation>
    </message>
    <message>
        <source>Discard it</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>放弃(&amp;D)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message numerus="yes">
        <source>Save the changes to %n models?</source>
        <translation>
            <numerusform>保存对 %n 个模型的更改？</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>保存对 %1 的更改？</translation>
    </message>
    <message>
        <source>The changes of models that are not checked are lost.</source>
        <translation>未勾选的模型的更改会丢失。</translation>
    </message>
    <message>
        <source>It has %1. Discarded changes cannot be restored.</source>
        <translation>它有 %1。放弃的更改无法恢复。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ValueEditor</name>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Choose a token by its text (F4)</source>
        <translation>按文本选择词元 (F4)</translation>
    </message>
    <message>
        <source>Choose a token</source>
        <translation>选择词元</translation>
    </message>
    <message>
        <source>With escapes: \n, \t, \xNN for a byte, \\ for a backslash</source>
        <translation>使用转义：\n、\t，\xNN 表示字节，\\ 表示反斜杠</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ValueGrid</name>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>First row</source>
        <translation>首行</translation>
    </message>
    <message>
        <source>First column</source>
        <translation>首列</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ValueGridModel</name>
    <message>
        <source>Row %1, column %2: %3</source>
        <translation>第 %1 行，第 %2 列：%3</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ValueProblem</name>
    <message>
        <source>%1 must be a whole number, decimal or hexadecimal with 0x.</source>
        <translation>%1 必须是整数，十进制或以 0x 开头的十六进制。</translation>
    </message>
    <message>
        <source>%1 must be a number, nan, inf or -inf.</source>
        <translation>%1 必须是数字、nan、inf 或 -inf。</translation>
    </message>
    <message>
        <source>A bool must be true or false.</source>
        <translation>bool 必须是 true 或 false。</translation>
    </message>
    <message>
        <source>%1 ranges from %2 to %3.</source>
        <translation>%1 的范围为 %2 到 %3。</translation>
    </message>
    <message>
        <source>Only 0 and 1 can be converted to a bool.</source>
        <translation>只有 0 和 1 能转换为 bool。</translation>
    </message>
    <message>
        <source>This number is out of range for %1.</source>
        <translation>此数字超出 %1 的范围。</translation>
    </message>
    <message>
        <source>%1 cannot represent this value exactly.</source>
        <translation>%1 无法精确表示此值。</translation>
    </message>
    <message>
        <source>Arrays and single values cannot be converted into each other.</source>
        <translation>数组与单个值不能互相转换。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::ValuesSection</name>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Values as</source>
        <translation>值的形式</translation>
    </message>
    <message>
        <source>Decimal</source>
        <translation>十进制</translation>
    </message>
    <message>
        <source>Hex</source>
        <translation>十六进制</translation>
    </message>
    <message>
        <source>The stored value: the bits of a number, or the code of a quantised weight</source>
        <translation>存储的值：数字的各个位，或量化权重的编码</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Byte</source>
        <translation>字节</translation>
    </message>
</context>
<context>
    <name>gufo::ui::VectorView</name>
    <message>
        <source>What the plot shows</source>
        <translation>图表显示的内容</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>The cosine of each pair of lines</source>
        <translation>每对行的余弦</translation>
    </message>
    <message>
        <source>Projection</source>
        <translation>投影</translation>
    </message>
    <message>
        <source>The lines in the plane of their first two principal components</source>
        <translation>各行在其前两个主成分平面上的位置</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Write the beginning of each line beside its point</source>
        <translation>在每行的点旁写出该行的开头</translation>
    </message>
    <message>
        <source>Chosen text, in the order of the lines</source>
        <translation>所选文本，按行的顺序</translation>
    </message>
    <message>
        <source>Most similar lines</source>
        <translation>最相似的行</translation>
    </message>
    <message>
        <source>Most similar to text</source>
        <translation>与文本最相似</translation>
    </message>
    <message>
        <source>Picture of the similarities</source>
        <translation>相似度的图片</translation>
    </message>
    <message>
        <source>similarities</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>Picture of the projection</source>
        <translation>投影的图片</translation>
    </message>
    <message>
        <source>projection</source>
        <translation>投影</translation>
    </message>
    <message>
        <source>Outlined: the lines most similar to the chosen one</source>
        <translation>带轮廓：与所选行最相似的行</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n texts, vectors of %2 elements</source>
        <translation>
            <numerusform>%1，%n 个文本，向量有 %2 个元素</numerusform>
        </translation>
    </message>
    <message>
        <source>text %1: %2</source>
        <translation>文本 %1：%2</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Outlined: %1</source>
        <translation>带轮廓：%1</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>%1  line %2: %3</source>
        <translation>%1  第 %2 行：%3</translation>
    </message>
    <message>
        <source>Lines in the plane of their first two principal components</source>
        <translation>文本行在前两个主成分平面上的位置</translation>
    </message>
    <message>
        <source>texts</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>gufo::ui::Vocabulary</name>
    <message numerus="yes">
        <source>its vocabulary has %n tokens, that of the reference %1</source>
        <translation>
            <numerusform>其词表有 %n 个词元，参照的词表有 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>its token %1 is &quot;%2&quot;, that of the reference &quot;%3&quot;</source>
        <translation>其词元 %1 为“%2”，参照的为“%3”</translation>
    </message>
</context>
<context>
    <name>gufo::ui::WaitingView</name>
    <message>
        <source>Contact %1</source>
        <translation>连接 %1</translation>
    </message>
    <message>
        <source>%1 is not on this computer</source>
        <translation>%1 不在本机上</translation>
    </message>
    <message>
        <source>It is on %1. Nothing has been sent there for this tab yet.</source>
        <translation>它位于 %1。此标签页尚未向其发送任何内容。</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>关闭标签页</translation>
    </message>
</context>
<context>
    <name>gufo::ui::WhatIfButton</name>
    <message>
        <source>What If</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>The size and error of this tensor as other types</source>
        <translation>此张量采用其他类型时的大小和误差</translation>
    </message>
    <message>
        <source>&amp;This tensor</source>
        <translation>此张量(&amp;T)</translation>
    </message>
    <message numerus="yes">
        <source>%1, all %n tensors</source>
        <translation>
            <numerusform>%1，全部 %n 个张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n tensors of the &amp;role %1</source>
        <translation>
            <numerusform>角色 %1 的全部 %n 个张量(&amp;R)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected tensors</source>
        <translation>
            <numerusform>所选的 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>The %1 &amp;selected tensors</source>
        <translation>所选的 %1 个张量(&amp;S)</translation>
    </message>
</context>
<context>
    <name>gufo::ui::WhatIfDialog</name>
    <message>
        <source>&amp;Quantise with This Type…</source>
        <translation>以此类型量化(&amp;Q)…</translation>
    </message>
    <message>
        <source>What if: %1</source>
        <translation>假设分析：%1</translation>
    </message>
    <message>
        <source>several types</source>
        <translation>多种类型</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2 weights, %3</source>
        <translation>
            <numerusform>%1，%2 个权重，%3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 weights</source>
        <translation>
            <numerusform>%1 个权重</numerusform>
        </translation>
    </message>
    <message>
        <source>All weights</source>
        <translation>所有权重</translation>
    </message>
    <message>
        <source>The sample is spread evenly over the tensors.</source>
        <translation>样本均匀分布在各张量上。</translation>
    </message>
    <message>
        <source>&amp;Importance matrix</source>
        <translation>重要性矩阵(&amp;I)</translation>
    </message>
    <message>
        <source>Anal&amp;yse</source>
        <translation>分析(&amp;Y)</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the table as text</source>
        <translation>将表格复制为文本</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Quantise the model with these tensors in the chosen type</source>
        <translation>量化模型，这些张量采用所选类型</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>正在编码</translation>
    </message>
    <message numerus="yes">
        <source>All %1 weights</source>
        <translation>
            <numerusform>全部 %1 个权重</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 weights</source>
        <translation>
            <numerusform>%2 个权重中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>The importance matrix has no entry for these tensors.</source>
        <translation>重要性矩阵没有这些张量的条目。</translation>
    </message>
</context>
<context>
    <name>gufo::ui::WhatIfModel</name>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Bits/weight</source>
        <translation>位/权重</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>The change of the file size</source>
        <translation>文件大小的变化</translation>
    </message>
    <message>
        <source>SQNR dB</source>
        <translation>SQNR dB</translation>
    </message>
    <message>
        <source>Signal to quantisation noise, −10·log10 NMSE: more is better</source>
        <translation>信号与量化噪声之比，−10·log10 NMSE：越高越好</translation>
    </message>
    <message>
        <source>NMSE</source>
        <translation>NMSE</translation>
    </message>
    <message>
        <source>Squared error as a share of the squared weights: less is better</source>
        <translation>误差平方和占权重平方和的比例：越低越好</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>RMSE</translation>
    </message>
    <message>
        <source>Root of the mean squared error: less is better</source>
        <translation>均方误差的平方根：越低越好</translation>
    </message>
    <message>
        <source>Weighted dB</source>
        <translation>加权 dB</translation>
    </message>
    <message>
        <source>SQNR with errors weighted by the importance matrix, quantised without using it</source>
        <translation>误差以重要性矩阵加权的 SQNR，量化时不使用该矩阵</translation>
    </message>
    <message>
        <source>With imatrix</source>
        <translation>用重要性矩阵</translation>
    </message>
    <message>
        <source>SQNR with errors weighted by the importance matrix, quantised with it</source>
        <translation>误差以重要性矩阵加权的 SQNR，量化时使用该矩阵</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message numerus="yes">
        <source>Rows of these tensors are not whole blocks of %n weights.</source>
        <translation>
            <numerusform>这些张量的行不是 %n 个权重的整数个分块。</numerusform>
        </translation>
    </message>
    <message>
        <source>Current type</source>
        <translation>当前类型</translation>
    </message>
</context>
<context>
    <name>gufo::ui::WindowedTable</name>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Previous rows</source>
        <translation>上一批行</translation>
    </message>
    <message>
        <source>Next rows</source>
        <translation>下一批行</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>The search matches none of the %1 %2.</source>
        <translation>%1 个%2中没有符合搜索的内容。</translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation>%2 个%3中的 %1 个</translation>
    </message>
    <message>
        <source>%1, the first %2 shown</source>
        <translation>%1，显示前 %2 个</translation>
    </message>
    <message>
        <source>%1–%2 of %3 %4</source>
        <translation>第 %1–%2 个，共 %3 个%4</translation>
    </message>
</context>
</TS>
