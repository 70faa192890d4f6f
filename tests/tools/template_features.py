"""Small templates for template_goldens.py, one for each language feature: (name, template); and their variables, DATA."""

DATA = {
    "numbers": [3, 1, 2],
    "words": ["pear", "Apple", "fig"],
    "people": [
        {"name": "Ada", "age": 36, "town": {"name": "London"}},
        {"name": "bob", "age": 7, "town": {"name": "Rome"}},
        {"name": "Cleo", "age": 36, "town": {"name": "Cairo"}},
    ],
    "d": {"b": 2, "a": 1, "C": 3},
    "text": "The quick brown fox",
    "html": "<a href='x'>\"&\"</a>",
    "emoji": "a😀b",
    "empty": [],
    "nothing": None,
    "yes": True,
    "f": 2.5,
    "big": 12345678901234567890,
    "tool": {"type": "object", "properties": {"é": {"type": "string"}}, "required": []},
}

EXPRESSIONS = """
1 + 2 * 3 - 4
7 // 2
-7 // 2
7 % 3
-7 % 3
7 % -3
7.5 % 2
7 / 2
4 / 2
2 ** 3
2 ** -1
2 ** 0.5
2 ** 3 ** 2
-2 ** 2
1.0
1.5e3
1e16
1e15
1e-4
1e-5
0.1 + 0.2
1e300 * 1e300
-0.0
1_000
0x1F
0b101
0o17
"ab" * 3
3 * "ab"
[1] * 2
(1, 2) + (3,)
[1] + [2]
"a" + "b"
"a" "b"
"a" ~ 1 ~ none ~ true ~ 2.0
1 + 2 ~ 3
"x" ~ 1 + 2
"a" + 1 ~ "c"
10 ~ 2 * 3
true
false
none
True
None
not true
not not 1
[]
{}
()
(1,)
(1, 2)
[1, 2.0, "a", none, true]
{"a": 1, "b": [1, "x"], 3: none, true: 1.5}
{"a": {"b": "c"}}
["it's", 'say "x"', "both ' and \\"", "\\n\\t\\\\", "é", "\\x00\\x7f"]
1 == 1.0
1 == true
"1" == 1
[1, 2] == [1, 2]
[1] == (1,)
{"a": 1} == {"a": 1.0}
none == false
none == none
"a" != "b"
1 < 2 < 3
1 < 3 < 2
3 > 2 > 1 == 1
(1 < 3) < 2
1 < 2 == true
"a" < "b"
"a" < "B"
[1, 2] < [1, 3]
"a" <= "a"
1 in [1, 2]
3 not in [1, 2]
"a" in "cat"
"b" in d
"z" not in d
[1] in [[1]]
1.0 in [1]
none in [none]
true in [1]
not 1 in [2]
not (1 == 2) and true
1 and 2
0 or "x"
"" or [] or "last"
0 and 1
1 if true else 2
1 if false else 2
(1 if false)
"a" if 0 else "b" if 0 else "c"
(true and false) or true
1 or 1 / 0
numbers[0]
numbers[-1]
numbers[5]
numbers[1:]
numbers[:-1]
numbers[::-1]
numbers[::2]
numbers[-2:]
numbers[5:]
numbers[2:0:-1]
text[0]
text[-3:]
text[4:9]
text[::-1]
emoji[1]
emoji[::-1]
emoji | length
(1, 2, 3)[1:]
"abc"[10:]
"abc"[-10:2]
d.a
d["a"]
d.zzz
d["zzz"]
d.zzz is defined
people[0].town.name
people[0]["town"]["name"]
people.0.name
d.get("a")
d.get("q")
d.get("q", 5)
d.items()
d.keys()
d.values()
d.items() | list
d | list
d | length
d | items | list
d.keys() | list | first
undefined_name
undefined_name is defined
undefined_name | default("x")
undefined_name or "y"
not undefined_name
nothing
nothing or "z"
undefined_name == undefined_name2
undefined_name == none
undefined_name in [1]
1 in undefined_name
[undefined_name]
undefined_name ~ "x"
text.upper()
text.lower()
text.title()
"ß".upper()
"élan vital".capitalize()
"they're o'neill".title()
"ǆ".upper()
"aB".swapcase()
" \\t x\\n".strip()
"xxaxx".strip("x")
"  a".lstrip()
"a  ".rstrip()
"abcab".rstrip("ab")
"\\ufeffx\\ufeff".strip()
"\\x1cx\\u3000".strip()
text.startswith("The")
text.startswith(("A", "The"))
text.endswith("fox")
"abc".startswith("b", 1)
text.find("quick")
text.find("z")
text.rfind("o")
text.count("o")
"aaa".count("aa")
text.index("q")
"a,b,,c".split(",")
" a  b ".split()
"a b c d".split(" ", 2)
"a b  c ".split(none, 1)
"a,b,c".rsplit(",", 1)
" a b  c ".rsplit(none, 1)
"a\\nb\\r\\nc\\n".splitlines()
"a\\nb\\n".splitlines(true)
"a=b=c".partition("=")
"a=b=c".rpartition("=")
"abc".partition("z")
"a-b-c".replace("-", "+")
"a-b-c".replace("-", "+", 1)
"abc".replace("", ".")
"aaa".replace("a", "b", 2)
",".join(["a", "b"])
"".join([])
"abc".removeprefix("a")
"abc".removesuffix("c")
"7".zfill(3)
"-7".zfill(4)
"a".center(5, "*")
"ab".center(5, "*")
"a".ljust(3, ".")
"a".rjust(3, ".")
"12".isdigit()
"1a".isdigit()
"ab".isalpha()
"a1".isalnum()
" ".isspace()
"AB".isupper()
"ab1".islower()
"".isdigit()
"Ab Cd".istitle()
"é".isascii()
"{} and {}".format(1, "b")
"{1} {0}".format("a", "b")
"{x:>5}|{y:05.1f}".format(x="a", y=2.25)
"{0[a]} {1.name}".format(d, people[0])
"{{}}".format()
"{:,}".format(1234567)
"{!r}".format("a")
"{:x}".format(255)
"%s is %d" % ("a", 3)
"%5.2f|%-5s|%05d|%+d|%%" % (2.345, "a", 42, 3)
"%s" % "a"
"%(a)s" % d
"%x %o %e" % (255, 8, 12345.678)
"%r" % ("a",)
numbers.index(2)
numbers.count(1)
(1, 1).count(1)
f.is_integer()
2.0.is_integer()
range(3)
range(1, 7, 2) | list
range(5, 0, -2) | list
range(3) | length
range(4)[1:3]
numbers | sort
words | sort
words | sort(case_sensitive=true)
words | sort(reverse=true)
people | sort(attribute="age") | map(attribute="name") | list
people | sort(attribute="age,name", reverse=true) | map(attribute="name") | join(",")
numbers | sum
numbers | max
numbers | min
words | min
words | max
empty | max
empty | sum
people | sum(attribute="age")
[1.5, 2] | sum
people | max(attribute="age")
numbers | first
numbers | last
empty | first
text | first
text | last
numbers | reverse | list
text | reverse
numbers | length
text | count
text | wordcount
numbers | join
numbers | join(", ")
people | join("-", attribute="name")
text | join("_")
["a", none, 1.0, true] | join("|")
"" | join
words | map("upper") | list
words | map("replace", "p", "P") | list
people | map(attribute="town.name") | list
people | map(attribute="x", default="?") | list
words | map("length") | sum
numbers | select("odd") | list
numbers | reject("odd") | list
numbers | select(">", 1) | list
[0, 1, "", "a"] | select | list
[0, 1] | reject | list
numbers | select("in", [1, 2]) | list
people | selectattr("age", "equalto", 36) | map(attribute="name") | list
people | rejectattr("age", "gt", 10) | map(attribute="name") | list
people | selectattr("town") | list | length
people | selectattr("zzz", "defined") | list
people | groupby("age") | map("first") | list
people | groupby("age") | length
[1, 1, "a", "A"] | unique | list
["b", "B"] | unique(case_sensitive=true) | list
people | unique(attribute="age") | map(attribute="name") | list
[1, 2, 3, 4, 5] | batch(2) | list
[1, 2, 3] | batch(2, "x") | list
[1, 2, 3, 4, 5] | slice(3) | list
[1, 2, 3, 4] | slice(3, "x") | list
d | dictsort
d | dictsort(true)
d | dictsort(false, "value", true)
text | upper
text | lower
"hello wORLD foo-bar (baz" | title
"hELLO" | capitalize
"  a " | trim
"xax" | trim("x")
text | replace("quick", "slow")
"aaa" | replace("a", "b", 2)
5 | replace("5", "6")
"a\\nb\\n\\nc" | indent
"a\\nb" | indent(2, true)
"a\\n\\nb" | indent(1, blank=true)
"a\\nb" | indent("> ")
"a\\n" | indent
text | truncate(10)
text | truncate(10, true)
text | truncate(12, false, "…", 0)
"ab" | center(6)
"12" | int
"1.9" | int
"x" | int
"x" | int(7)
"0x1f" | int(0, 16)
"ff" | int(base=16)
3.99 | int
-3.99 | int
true | int
none | int
" 12 " | int
"1_0" | int
"12345678901234567890" | int
"1.5" | float
"x" | float
"x" | float(1.0)
3 | float
true | float
"inf" | float
2.5 | round
3.5 | round
2.675 | round(2)
2.5 | round(0, "ceil")
2.5 | round(method="floor")
5 | round
1234.5 | round(-2)
0.125 | round(2)
-3 | abs
-3.5 | abs
5 | string
1.0 | string
none | string
true | string
[1, "a"] | string
d | string
"a" | string
"ab" | list
{"a": 1} | list
(1, 2) | list
none | default("x")
none | default("x", true)
"" | d("x", true)
0 | default(5)
undefined_name | default
undefined_name | d([])
undefined_name.x is defined if undefined_name else "no"
html | escape
html | e
"a<b" | safe
("<" | safe) + "<"
"<" + ("<" | e)
"x" ~ ("<" | safe) ~ "<"
html | striptags
"<b>" | forceescape
"a b/c?d=é&" | urlencode
{"a b": "c/d"} | urlencode
"%s-%s" | format(1, "b")
"%(a)s" | format(a=1)
tool | tojson
tool | tojson(indent=2)
tool | tojson(indent=4)
numbers | tojson
[] | tojson(indent=2)
{} | tojson(indent=2)
"é😀\\u2028</script>'" | tojson
"é😀" | tojson(ensure_ascii=true)
d | tojson(sort_keys=true)
d | tojson(separators=(",", ":"))
1.0 | tojson
1e16 | tojson
1e-7 | tojson
none | tojson
true | tojson
big | tojson
big
"\\n\\t\\\\\\"\\x01\\x7f" | tojson
{1: 2, none: 3, true: 4} | tojson
(1, 2) | tojson
[1, [2, {"a": []}]] | tojson(indent=1)
{"a": 1} | tojson(indent="--")
5 is odd
5 is not even
6 is divisibleby 3
6 is divisibleby(4)
1 is number
1.0 is float
1 is integer
true is integer
true is number
true is boolean
"a" is string
none is none
1 is none
x is undefined
d is mapping
numbers is mapping
numbers is sequence
d is sequence
text is iterable
d is iterable
5 is iterable
numbers is iterable
"abc" is lower
"ABC" is upper
"a1" is lower
"1" is lower
range is callable
1 is callable
1 is eq 1
1 is equalto(2)
1 is == 1
1 is ne 2
2 is gt 1
2 is ge 2
1 is lt 2
1 is le 1
1 is in [1, 2]
3 is not in [1, 2]
none is sameas none
1 is sameas true
true is true
1 is true
0 is false
"upper" is filter
"nope" is filter
"odd" is test
[1, 2, 3] | select("odd") | map("string") | join("+")
([] | select) is defined
"y" if [] | map("upper") else "n"
(words | map("upper") | list)[0]
words | map("upper") | join
"a" is string and "b" is string
1 is number | string
1 is odd is defined
-1 is odd
not 1 is odd
2 * 3 is divisibleby 3
"a" ~ 1 is string
[1, 2] | length == 2
3 | abs is odd
-5 | abs
dict(a=1, b=2)
dict(d, z=9)
dict([["k", 1]])
namespace(a=1).a
namespace({"x": 2}).x
joiner | string is string
"\\u00e9\\x41\\101\\U0001F600"
"\\q"
'a\\'b'
"a" < 1
none + 1
1 + "a"
"a" + 1
[1] + (2,)
1 / 0
1 // 0
1 % 0
undefined_name + 1
1 + undefined_name
undefined_name.x
undefined_name["x"]
undefined_name()
nothing.x.y
d.zzz.y
numbers.append(4)
d.update({})
d.pop("a")
numbers()
none()
numbers | nope
1 is nope
range(200000)
none | length
5 | length
5 | list
none | join
numbers | join(d.zzz.y)
undefined_name | tojson
[undefined_name] | tojson
range | tojson
d | tojson(foo=1)
numbers["a"]
numbers.zzz
text.zzz
(5).zzz
nothing["a"]
-"a"
+none
-undefined_name
"a" * "b"
"a" * 1.5
{} + {}
none < 1
[1] < ["a"]
"a" in 5
5 in "a"
{[1]: 2}
"".join([1])
"a".split("")
"%d" % "a"
"%s" % (1, 2)
"%s %s" % (1,)
words | sort(attribute="x")
[1, "a"] | sort
d | first
d | last
(numbers | map("string"))[0]
(numbers | map("string")) | length
"{}".format()
"{a}".format()
int("5")
len(words)
zip(words, words)
raise_exception("No " + "good")
raise_exception(5)
strftime_now("%Y-%m-%d")
strftime_now("%d %b %Y")
strftime_now("%A, %B %-d, %Y %H:%M:%S %p %j %U %W %y %I %e %%")
strftime_now("%F %T %D %R %a %h %u %w %V %G %C %n%t|")
cycler("a", "b").next()
(1, 2) | sum
((1, 2), (3,))
"é" * 2
1, 2
"a",
[1, 2,]
{"a": 1,}
[[1, 2], [3]] | sum(start=[])
100000000000000000000
9007199254740993
-9223372036854775808
"""

TEMPLATES = [
    ("text only", "plain text"),
    ("trailing newline", "a\n"),
    ("two trailing newlines", "a\n\n"),
    ("carriage returns", "a\r\nb\rc{{ '\r\n' }}d\r\n"),
    ("comment", "a{# c #}b{#- c -#} d"),
    ("comment on its line", "a\n  {# c #}\nb"),
    ("comment with tags", "{# {{ x }} {% if %} #}ok"),
    ("trim blocks", "a\n{% if true %}\nb\n{% endif %}\nc\n"),
    ("lstrip blocks", "a\n    {% if true %}\n    b\n    {% endif %}\n    c"),
    ("lstrip not after text", "a  {% if true %}b{% endif %}"),
    ("lstrip not for expressions", "a\n   {{ 1 }}\n   b"),
    ("lstrip at the start", "   {% if true %}a{% endif %}"),
    ("lstrip of tabs", "\t {% if true %}a{% endif %}"),
    ("lstrip after a tag", "{% if true %}\n  {% if true %}\n x {% endif %}{% endif %}"),
    ("lstrip between tags", "{% if true %}   {% endif %}|"),
    ("no lstrip", "a\n  {%+ if true %}b{% endif %}"),
    ("no trim", "a{% if true +%}\nb{% endif %}"),
    ("strip both", "a \n {%- if true -%} \n b \n {%- endif -%} \n c"),
    ("strip expression", "a \n {{- 1 -}} \n b"),
    ("strip unicode space", "a\u3000{{- 1 -}}\u2003\ufeffb"),
    ("minus after brace", "{{-1}} {{ -1 }} {{- -1 -}}"),
    ("newline after expression", "{{ 1 }}\n{{ 2 }}\n"),
    ("braces in text", "a { b } {c} }} %} #} {"),
    ("expression with braces", "{{ {'a': {'b': 1}}['a']['b'] }}{{ {} }}"),
    ("tag end in a string", "{{ '}}' }}{{ '%}' }}{% if '%}' %}x{% endif %}"),
    ("raw", "{% raw %}{{ x }} {% y %}{% endraw %}|{%- raw -%} a {%- endraw -%} b"),
    ("raw on lines", "a\n  {% raw %}\n  {{ x }}\n  {% endraw %}\nb"),
    ("if", "{% if 0 %}a{% elif '' %}b{% elif yes %}c{% else %}d{% endif %}"),
    ("set leaks from if", "{% if true %}{% set x = 1 %}{% endif %}{{ x }}"),
    ("set does not leak from for", "{% set x = 0 %}{% for i in numbers %}{{ x }}{% set x = i %}{{ x }}{% endfor %}{{ x }}"),
    ("set tuple", "{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set (c, d) = (3, 4) %}{{ c }}{{ d }}"),
    ("set string unpacked", "{% set a, b = 'xy' %}{{ b }}{{ a }}"),
    ("set block", "{% set x %} a {{ 1 }}\n{% endset %}[{{ x }}]{{ x is string }}"),
    ("set block with filter", "{% set x | upper | replace('A', 'B') %}a{{ 'c' }}{% endset %}{{ x }}"),
    ("set too few", "{% set a, b = [1] %}"),
    ("set too many", "{% set a, b = [1, 2, 3] %}"),
    ("namespace", "{% set ns = namespace(n=0, l=[]) %}{% for i in numbers %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}{{ ns.l }}{{ ns.q }}"),
    ("namespace missing", "{% set ns = namespace() %}{{ ns.q + 1 }}"),
    ("set attribute of dict", "{% set d.x = 1 %}"),
    ("for", "{% for i in numbers %}{{ i }}{% if not loop.last %}, {% endif %}{% endfor %}"),
    ("for else", "{% for i in empty %}x{% else %}none{% endfor %}{% for i in [1] %}y{% else %}no{% endfor %}"),
    ("for else after filter", "{% for i in numbers if i > 5 %}x{% else %}none{% endfor %}"),
    ("for undefined", "{% for i in undefined_name %}x{% else %}none{% endfor %}"),
    ("for none", "{% for i in nothing %}x{% endfor %}"),
    ("for number", "{% for i in 5 %}x{% endfor %}"),
    ("for string", "{% for c in emoji %}[{{ c }}]{% endfor %}"),
    ("for dict", "{% for k in d %}{{ k }}{% endfor %}{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}{% for k, v in d | items %}{{ k }}{% endfor %}"),
    ("for unpack error", "{% for a, b in numbers %}{% endfor %}"),
    ("for nested unpack", "{% for a, (b, c) in [[1, [2, 3]]] %}{{ a }}{{ b }}{{ c }}{% endfor %}"),
    ("for condition", "{% for p in people if p.age > 10 %}{{ loop.index }}/{{ loop.length }} {{ p.name }} {% endfor %}"),
    ("for conditional source", "{% for i in (numbers if yes else empty) %}{{ i }}{% endfor %}"),
    ("for tuple of values", "{% for i in (1, 'a', none) %}{{ i }};{% endfor %}"),
    ("loop variables", "{% for i in words %}{{ loop.index }} {{ loop.index0 }} {{ loop.revindex }} {{ loop.revindex0 }} {{ loop.first }} {{ loop.last }} {{ loop.length }} {{ loop.depth }} {{ loop.depth0 }} {{ loop.previtem }} {{ loop.nextitem }}\n{% endfor %}"),
    ("loop previtem attribute", "{% for p in people %}{% if loop.previtem and loop.previtem.name != 'x' %}{{ loop.previtem.name }}{% endif %}{{ loop.nextitem is defined }}{% endfor %}"),
    ("loop nextitem fails", "{% for p in people %}{{ loop.nextitem.name }}{% endfor %}"),
    ("loop cycle", "{% for i in [1, 2, 3] %}{{ loop.cycle('a', 'b') }}{% endfor %}"),
    ("loop changed", "{% for i in [1, 1, 2, 2, 1] %}{% if loop.changed(i) %}{{ i }}{% endif %}{% endfor %}"),
    ("loop nested", "{% for a in [1, 2] %}{% set outer = loop %}{% for b in [1, 2] %}{{ outer.index }}.{{ loop.index }} {% endfor %}{% endfor %}"),
    ("loop outside", "{{ loop is defined }}{% for i in [1] %}{% endfor %}{{ i is defined }}"),
    ("loop recursive", "{% for n in [{'v': 1, 'c': [{'v': 2, 'c': []}]}] recursive %}{{ n.v }}@{{ loop.depth }}({{ loop(n.c) }}){% endfor %}"),
    ("loop unknown attribute", "{% for i in [1] %}{{ loop.zzz }}{{ loop.zzz.y }}{% endfor %}"),
    ("break", "{% for i in range(10) %}{{ i }}{% if i == 2 %}!{% break %}{% endif %},{% endfor %}"),
    ("continue", "{% for i in range(5) %}{% if i % 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}"),
    ("break inner", "{% for a in [1, 2] %}{% for b in [1, 2] %}{% if b == 2 %}{% break %}{% endif %}{{ a }}{{ b }} {% endfor %}{% endfor %}"),
    ("break and else", "{% for i in [1] %}{% break %}{% else %}no{% endfor %}"),
    ("break outside", "{% break %}"),
    ("macro", "{% macro m(a, b='x', c=a) %}[{{ a }}{{ b }}{{ c }}]{% endmacro %}{{ m(1) }}{{ m(1, 2, 3) }}{{ m(b=1, a=2) }}{{ m() }}"),
    ("macro is a string", "{% macro m() %} x {% endmacro %}{{ m() | trim | upper }}{{ m() is string }}"),
    ("macro extra arguments", "{% macro m(a) %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, x=4) }}"),
    ("macro too many", "{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}"),
    ("macro unknown keyword", "{% macro m(a) %}{% endmacro %}{{ m(b=2) }}"),
    ("macro sees outer", "{% set x = 1 %}{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% set x = 2 %}{{ m() }}"),
    ("macro sees later", "{% macro m() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ m() }}"),
    ("macro does not see the caller's", "{% macro m() %}{{ i }}{% endmacro %}{% for i in [1] %}{{ m() }}{% endfor %}|"),
    ("macro recursive", "{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(5) }}"),
    ("macro without end", "{% macro f(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}"),
    ("continue and else", "{% for i in [1, 2] %}{% continue %}{% else %}no{% endfor %}"),
    ("macro in a loop", "{% for i in [1, 2] %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}"),
    ("macro set inside", "{% macro m() %}{% set x = 5 %}{{ x }}{% endmacro %}{{ m() }}{{ x is defined }}"),
    ("macro spread", "{% macro m(a, b, c=0) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(*[1, 2], **{'c': 3}) }}"),
    ("macro with default undefined", "{% macro m(a) %}{{ a is defined }}{{ a }}{% endmacro %}{{ m() }}"),
    ("macro loop variable", "{% macro m() %}{{ loop is defined }}{% endmacro %}{% for i in [1] %}{{ m() }}{% endfor %}"),
    ("call", "{% macro box(t) %}<{{ t }}>{{ caller() }}</{{ t }}>{% endmacro %}{% call box('b') %}inner {{ yes }}{% endcall %}"),
    ("call with arguments", "{% macro each(l) %}{% for x in l %}{{ caller(x, loop.index) }}{% endfor %}{% endmacro %}{% call(x, n) each(words) %}{{ n }}:{{ x }} {% endcall %}"),
    ("call without parameters", "{% macro m() %}{{ caller() }}{% endmacro %}{% call() m() %}x{% endcall %}"),
    ("caller undefined", "{% macro m() %}{{ caller is defined }}{% endmacro %}{{ m() }}"),
    ("filter block", "{% filter upper %}a{{ 'b' }}{% endfilter %}{% filter replace('a', 'o') %}banana{% endfilter %}"),
    ("generation", "{% for m in ['a', 'b'] %}{% generation %}{{ m }}{{ loop.index }}{% endgeneration %}\n{% endfor %}"),
    ("generation on lines", "a\n  {% generation %}\n  b\n  {% endgeneration %}\nc"),
    ("generation stripped", "a {%- generation -%} b {%- endgeneration -%} c"),
    ("generation scope", "{% set x = 1 %}{% generation %}{% set x = 2 %}{{ x }}{% endgeneration %}{{ x }}"),
    ("with", "{% set x = 0 %}{% with x = 1, y = x %}{{ x }}{{ y }}{% endwith %}{{ x }}{% with %}{% set z = 1 %}{% endwith %}{{ z is defined }}"),
    ("block", "{% block head %}a{% endblock %}{% block b %}c{% endblock b %}"),
    ("items is a method first", "{{ {'items': 5}.items() | list }}{{ {'items': 5}['items'] }}{{ {'get': 1}.get('get') }}"),
    ("truth", "{% for x in [0, 1, 0.0, '', ' ', [], [0], {}, {'a': 1}, none, false, true, (), range(0)] %}{{ 1 if x else 0 }}{% endfor %}"),
    ("multi-line expression", "{{ [\n  1,\n  2\n] }}{%- if\n  yes\n%}x{% endif %}"),
    ("line continued in a string", "{{ 'a\\\nb' }}"),
    ("strings keep newlines", "{{ 'a\n  b' }}"),
    ("deep data", "{{ [[[[[[1]]]]]] }}{{ {'a': {'b': {'c': [1, {'d': 2}]}}}.a.b.c[1].d }}"),
    ("date default", "{% if not date_string is defined %}{% if strftime_now is defined %}{% set date_string = strftime_now('%d %b %Y') %}{% endif %}{% endif %}{{ date_string }}"),
    ("raise in an untaken branch", "{% if false %}{{ raise_exception('x') }}{% endif %}ok"),
    ("unknown filter in an untaken branch", "{% if false %}{{ 1 | nope }}{% endif %}ok"),
    ("unknown filter in a taken branch", "{% if true %}{{ 1 | nope }}{% endif %}ok"),
    ("unknown test in an untaken branch", "{{ 1 if true else (2 is nope) }}"),
    ("unknown function untaken", "{% if false %}{{ nope() }}{% endif %}ok"),
    ("loop over messages", "{%- for m in people -%}\n{{ m.name + '\\n' }}\n{%- endfor -%}"),
    ("for items with a condition", "{% for k, v in d.items() if k != 'a' %}{{ k }}{{ v }}{% if not loop.last %}, {% endif %}{% endfor %}"),
    ("macro used before it is defined", "{% macro a(x) %}<{{ b(x) }}>{% endmacro %}{% macro b(x) %}{{ x }}{% endmacro %}{{ a(1) }}"),
    ("macro recursion over data", "{% macro show(v, q=True) %}{% if v is string %}{{ '\"' + v + '\"' if q else v }}{% elif v is mapping %}{ {%- for k, e in v | dictsort %}{{ k }}:{{ show(e, q=q) }}{{ ',' if not loop.last }}{% endfor %}}{% elif v is sequence %}[{% for e in v %}{{ show(e) }}{% endfor %}]{% else %}{{ v }}{% endif %}{% endmacro %}{{ show({'b': [1, 'x', none], 'a': {'c': true}}) }}"),
    ("negated default", "{{ 1 if not zzz | default(false) else 2 }}"),
    ("set in a branch of a macro", "{% macro m() %}{% if x is not defined %}{% set x = 'inner' %}{% endif %}{{ x }}{% endmacro %}{{ m() }}{{ x is defined }}"),
    ("namespace from a member of the last element", "{% set ns = namespace(name=none) %}{% set ns.name = people[-1].town.name %}{{ ns.name }}"),
    ("list grows in a namespace", "{% set ns = namespace(l=[]) %}{% for p in people %}{% set ns.l = ns.l + [p.name] %}{% endfor %}{{ ns.l }}{{ 'Ada' not in ns.l }}"),
    ("slices of the loop index", "{% for p in people %}{% for q in people[loop.index0 + 1:] %}{{ p.age }}-{{ q.age }} {% endfor %}{% endfor %}"),
    ("equal dictionaries", "{{ people[0] == people[0] }}{{ people[0] == people[1] }}{{ people | selectattr('age', 'equalto', 36) | list == [people[0], people[2]] }}"),
    ("split and strip", "{{ 'a</think>\n\nb'.split('</think>')[-1].lstrip('\n') }}{{ ('x<think>y'.split('<think>') | last).strip() }}"),
    ("json then slice", "{% set out = d | tojson %}{{ out[:-1] }}, \"id\": 1}"),
    ("filter then string", "{{ tool | tojson | string | length }}{{ 1.0 | tojson | string if yes is not string else 'x' }}"),
    ("first user message", "{% set first = people | selectattr('name', 'ne', 'Ada') | first %}{{ first.name }}{{ (people | map(attribute='age') | list).index(7) }}"),
    ("conditional text without else", "a{{ 'b' if nothing }}c{{ ',' if yes }}"),
    ("comparison of roles", "{% for p in people %}{% if (p.age == 36) != (loop.index0 % 2 == 0) %}{{ p.name }}{% endif %}{% endfor %}"),
    ("is in with brackets", "{{ people[0].name in ['Ada', 'x'] and people[1]['name'] not in ['Ada'] }}"),
    ("escapes over lines", "{{ \"a\\\n\\\nb \\\"c\\\"\" }}"),
    ("none as argument", "{% macro m(a=None, b=none) %}{{ a is none }}{{ b is none }}{% endmacro %}{{ m() }}{{ m(none, b=1) }}"),
    ("caller with a loop", "{% macro l() %}{% for i in [1, 2] %}{{ caller(i) }}{% endfor %}{% endmacro %}{% call(i) l() %}{% if i == 2 %}two{% endif %}{% endcall %}"),
    ("macro returns truth", "{% macro empty() %}{% endmacro %}{% if empty() %}a{% else %}b{% endif %}{% if not empty() | trim %}c{% endif %}"),
    ("generator is true", "{% if people | selectattr('age', 'gt', 100) %}a{% endif %}{% if people | selectattr('age', 'gt', 100) | list %}b{% endif %}"),
    ("dict methods in conditions", "{{ 'yes' if d.get('a') and not d.get('zz') }}{{ d.get('zz', {}).get('y') is none }}"),
    ("loop over enumerated dict values", "{% for v in d.values() %}{{ v }}{{ loop.index }}{% endfor %}{{ d.values() | list | sum }}{{ d.keys() | join('+') }}"),
    ("deep attribute of undefined in a branch", "{% if zzz is defined and zzz.a.b %}x{% else %}y{% endif %}"),
    ("date parts", "{% set today = strftime_now('%Y-%m-%d') %}{% set y, m, d2 = today.split('-') %}{{ d2 }}.{{ m }}.{{ y }}{{ (y | int) - 1 }}"),
    ("sandbox", "{{ ''.__class__ }}|{{ ''.__class__.__mro__ }}"),
    ("sandbox call", "{{ numbers.__len__() }}"),
    ("unclosed if", "{% if true %}a"),
    ("wrong end", "{% if true %}{% endfor %}"),
    ("stray end", "a{% endif %}"),
    ("unknown tag", "{% foo %}"),
    ("unclosed expression", "a {{ 1"),
    ("unclosed tag", "a {% if true"),
    ("unclosed comment", "a {# b"),
    ("unclosed string", "{{ 'a }}"),
    ("unclosed bracket", "{{ (1 + 2 }}"),
    ("single equals", "{% if a = 1 %}{% endif %}"),
    ("empty expression", "{{ }}"),
    ("empty statement", "{% %}"),
    ("two values", "{{ 1 2 }}"),
    ("bad escape", "{{ '\\x4' }}"),
    ("else twice", "{% if true %}a{% else %}b{% else %}c{% endif %}"),
]

# Every filter that looks into its value, applied to values that are false or have no elements.
VALUES = ["nothing", "undefined_name", "0", '""', "[]", "{}", "5"]
FILTERS = [
    *[f"{f} | list" for f in ("select", "reject", 'selectattr("a")', 'rejectattr("a")', 'map("upper")',
                              'map(attribute="a")', 'select("zzz")', "selectattr", "map", "unique", "reverse",
                              "batch(2)", "slice(2)", "items")],
    "list", "join", "length", "first", "last", "sum", "sort", 'groupby("a")', "min", "max", "dictsort", "trim",
    "upper", "string", "default(1, true)", "int", "float", "tojson", "title", "abs", "indent", "truncate(3)",
]
EXPRESSIONS_OF_NOTHING = [f"{value} | {each}" for value in VALUES for each in FILTERS]

FEATURES = [
    (expression, "{{ " + expression + " }}")
    for expression in EXPRESSIONS.strip().split("\n") + EXPRESSIONS_OF_NOTHING
] + TEMPLATES
