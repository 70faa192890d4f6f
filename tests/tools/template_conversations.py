"""The conversations with which template_goldens.py renders every published template. The texts are our own."""

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Forecast for a city.",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Name of the city"},
                "days": {"type": "integer", "description": "How many days"},
                "unit": {"type": ["string", "number"], "description": " C or F ", "enum": ["C", "F"]},
            },
            "required": ["city"],
        },
        "return": {"type": "object", "description": "Minimum and maximum"},
    },
}
SEARCH = {
    "type": "function",
    "function": {
        "name": "search",
        "description": 'Finds "notes" & <tags>',
        "parameters": {
            "type": "object",
            "properties": {
                "words": {"type": "array", "items": {"type": "string"}, "description": "Wörter"},
                "filter": {
                    "type": "object",
                    "additionalProperties": {"type": "number"},
                    "description": "by field",
                },
            },
        },
    },
}
BARE = {"name": "clock", "description": "The time", "parameters": {"type": "object", "properties": {}}}


def message(role, content, **more):
    return {"role": role, "content": content, **more}


def call(name, arguments, **more):
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


def conversation(messages, tools=None, generate=True, **more):
    return {
        "messages": messages,
        "tools": tools,
        "documents": None,
        "add_generation_prompt": generate,
        "bos_token": "<s>",
        "eos_token": "</s>",
        **more,
    }


ASK = message("user", "Will it freeze in Trento tonight?")
SYSTEM = message("system", "Answer in one sentence.")

CONVERSATIONS = {
    "plain": conversation([message("user", "Hello")]),
    "no prompt": conversation([message("user", "Hello"), message("assistant", "Hi.")], generate=False),
    "system": conversation([SYSTEM, message("user", "Hello")]),
    "turns": conversation(
        [
            message("user", "One?"),
            message("assistant", "  Two. \n"),
            message("user", "\n Three?\t"),
            message("assistant", "Four."),
            message("user", "Five?"),
        ]
    ),
    "system and turns": conversation(
        [SYSTEM, message("user", "One?"), message("assistant", "Two."), message("user", "Three?")], generate=False
    ),
    "tools": conversation([SYSTEM, ASK], [WEATHER, SEARCH]),
    "bare tool": conversation([ASK], [BARE]),
    "tool call": conversation(
        [
            SYSTEM,
            ASK,
            message("assistant", None, tool_calls=[call("get_weather", {"city": "Trento", "days": 1})]),
            message("tool", '{"min_c": -3, "max_c": 6}', name="get_weather"),
        ],
        [WEATHER],
    ),
    "call with text": conversation(
        [
            ASK,
            message("assistant", "I look it up.", tool_calls=[call("get_weather", {"city": "Trento"}, id="call_1")]),
            message("tool", "-3", tool_call_id="call_1"),
            message("assistant", "Yes, −3 °C."),
            message("user", "Thanks"),
        ],
        [WEATHER],
        generate=False,
    ),
    "two calls": conversation(
        [
            ASK,
            message(
                "assistant",
                None,
                tool_calls=[call("get_weather", '{"city": "Trento"}'), call("search", '{"words": ["ice"]}')],
            ),
            message("tool", "-3"),
            message("tool", "no ice"),
        ],
        [WEATHER, SEARCH],
    ),
    "arguments of every kind": conversation(
        [
            message("user", "Go"),
            message(
                "assistant",
                "",
                tool_calls=[
                    call(
                        "search",
                        {
                            "whole": 1.0,
                            "half": 0.5,
                            "small": 1e-7,
                            "large": 1e22,
                            "long": 12345678901234567890,
                            "negative": -0.0,
                            "yes": True,
                            "no": None,
                            "empty": [{}, [], ""],
                            "nested": {"a": [1, {"b": "\u0001\n\t\"\\/é😀\u2028"}]},
                            "10": "keys keep",
                            "2": "their order",
                        },
                    )
                ],
            ),
            message("tool", {"list": [1, 2.0, True, None, "é"]}),
        ],
        [SEARCH],
    ),
    "string arguments": conversation(
        [
            message("user", "Go"),
            message("assistant", None, tool_calls=[call("get_weather", '{"city":"Trento"}')]),
            message("tool", "ok"),
        ]
    ),
    "thinking": conversation(
        [
            message("user", "2+2?"),
            message("assistant", "<think>\nSimple.\n</think>\n\n4", reasoning_content="Simple."),
            message("user", "And 3+3?"),
        ],
        enable_thinking=True,
    ),
    "no thinking": conversation(
        [message("user", "2+2?"), message("assistant", "<think></think>4"), message("user", "ok")], enable_thinking=False
    ),
    "non-ASCII": conversation(
        [
            message("system", "Sprich Deutsch: äöüß €"),
            message("user", "日本語 \U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467 e\u0301 עברית"),
            message("assistant", "\u00a0\u3000Grüße\u2003\ufeff"),
            message("user", "\u200bП\U0001d518"),
        ],
        [SEARCH],
    ),
    "empty": conversation([]),
    "empty content": conversation([message("system", ""), message("user", ""), message("assistant", "")]),
    "wrong order": conversation([message("user", "a"), message("user", "b")]),
    "unknown role": conversation([message("critic", "Hm."), message("user", "b")]),
    "markup": conversation([message("user", "<b>&amp; {{ not }} {% a %} '\"\\ $1</b>")]),
    "more arguments": conversation(
        [SYSTEM, ASK], [WEATHER], date_string="01 Jan 2026", tools_in_user_message=False, builtin_tools=["x", "code_interpreter"]
    ),
}
