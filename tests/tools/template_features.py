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

# Syntax that is refused, whole numbers of any size, formats, letters of other scripts, and rarer filters.
MORE_EXPRESSIONS = r"""
{[1]: 2}[0]
{"a b"|list: 1}
{[1]:2}
{[1]:2}|length
f({[1]:2})
{a:1,[1]:2}|length
{[1]:a}|length
{1:a,[1]:2}|length
{[1]:1/0}|length
{[1]:2} and 1
not {[1]:2}
[{[1]:2}]
{{}:1}|length
{(1,[2]):1}|length
{"a":1}[[1]]
{"a":1}[{[1]:2}]
x[{[1]:2}]
{[1]:2} ~ "a"
{("a"|list)[0]:2}|length
{[1]|map("string"):2}|length
{[1]|first:2}|length
{namespace():1}|length
{[1] is defined:2}|length
{"a"|map:2}|length
{[] if true:2}|length
{([1] if true else 2):2}|length
{([1] if x else 2):2}|length
({[1]:2} if x else 3)
{1:2}|dictsort|length
{[1][0:1]:2}|length
{"a"[0:1]:2}|length
{[3,1]|sort:2}|length
{[3,1]|reverse:2}|length
{[3,1]|unique:2}|length
{[3,1]|batch(1):2}|length
{{'a':1}|items:2}|length
{[1]|tojson:2}|length
{{'a':1}|xmlattr:2}|length
{[1]|random:2}|length
{[1]|select:2}|length
-{[1]:2}
{[1]:2}.a
{[1]:2} == 1
1 == {[1]:2}
{'a':1} + {[1]:2}
loop.x({[1]:2})
{true or x:1,[1]:2}|length
{false or x:1,[1]:2}|length
{1 < 2 < 3:1,[1]:2}|length
{3 < 2 < x:1,[1]:2}|length
{'a'.upper:1,[1]:2}|length
{'a'.nope:1,[1]:2}|length
{[1].nope:1}|length
{'a'|nofilter:1,[1]:2}|length if x
{'a'~1:1,[1]:2}|length
{'a'|replace('a',x):1,[1]:2}|length
{'a'|replace('a','b'):1,[1]:2}|length
{-x:1,[1]:2}|length
{'%s'|format(1):1,[1]:2}|length
{'a'|join:1,[1]:2}|length
{'a'|attr('upper'):1,[1]:2}|length
{[1]|sum:1,[1]:2}|length
{{1:2}.items:1, [1]:2}|length
people | groupby("age")
(people | groupby("age"))[0].grouper
(people | groupby("age") | last).list | length
people | groupby("age") | map(attribute="grouper") | list
people | groupby("town.name", default="none") | map(attribute="list") | map("length") | list
"ΑΣ ΣΑΣ" | lower
"ΣΑΣ. ΟΔΟΣ" | capitalize
"ὈΔΥΣΣΕΎΣ".title()
"ΣΑΣ'Σ".lower()
"ǆ ŉ ß ﬁ ǳa" | title
"ǆ ŉ ß ﬁ ǳa".title()
"ß".capitalize() ~ "ǆ".capitalize()
"Straße ﬀ".upper() ~ "STRASSE".lower()
"İ" | lower | length
"ßΣς".casefold()
"aǅB".swapcase()
"ǅ".isupper() ~ "ǅ".islower() ~ "ǅ".istitle()
"²".isdigit() ~ "²".isdecimal() ~ "½".isnumeric() ~ "½".isdigit() ~ "٣".isdecimal() ~ "三".isnumeric()
"é".isalpha() ~ "ـ".isalpha() ~ "x1".isalnum() ~ "½".isalnum() ~ "_".isalnum()
"x1".isidentifier() ~ "1x".isidentifier() ~ "é".isidentifier() ~ "".isidentifier()
"a\n".isprintable() ~ "é ".isprintable() ~ "".isprintable()
"%#x %#X %#o" | format(255, 255, 8)
"%#x" % -255
"%x" % 1.5
"%#.3g|%#e|%#.0f" % (1.0, 1.5, 2.0)
"%.5d|%+.3d|% d|%05d|%-5d|" % (42, 7, 3, -42, 9)
"%5s|%-5s|%.2s|%r|%a" % ("ab", "cd", "efg", "é", "é")
"%c%c" % (65, "b")
"%c" % "ab"
"%q" % 1
"%" % 1
"%d" % "a"
"%f" % "a"
"%s" % (1, 2)
"%(a)s %(b)d" % {"a": 1, "b": 2}
"%*d|%.*f" % (5, 42, 2, 1.239)
"{:#b} {:#o} {:#x} {:#X} {:b}".format(5, 8, 255, 255, -5)
"{:d}".format(1.5)
"{:d}".format("a")
"{:s}".format(1)
"{:.2}".format(5)
"{:,} {:_} {:_x} {:,.2f}".format(1234567, 1234567, 305419896, 1234567.891)
"{:,x}".format(1)
"{:010,}|{:08.2f}|{:+d}|{: d}|{:=+6}".format(12345, -1.5, 5, 5, 7)
"{:<5}|{:^5}|{:>5}|{:*^7}|{:05}".format("a", "b", "c", "d", "e")
"{:=5}".format("a")
"{:+}".format("a")
"{:.3}|{:.3g}|{:g}|{:G}|{:n}".format(3.0, 1234.5, 0.00001, 1e20, 1.5)
"{:e}|{:.0e}|{:#.0f}|{:%}|{:.1%}".format(1234.5, 1.5, 2.0, 0.25, 0.125)
"{:f}|{:F}|{}".format(1e30, -1e23, 1e22)
"{:5}|{:d}|{}".format(true, true, true)
"{:5}".format([1])
"{:c}".format(8364)
"{} {}".format(1)
"{} {1}".format(1, 2)
"{1} {}".format(1, 2)
"{0} {0} {1}".format("a", "b")
"{a[b]} {c.real} {0[1]}".format([1, 2], a={"b": 3}, c=4)
"{:{}}|{:{w}.{p}}".format("a", 5, 3.14159, w=8, p=3)
"{!r} {!s} {!a}".format("é", "é", "é")
"{!x}".format(1)
"{" | format
"{".format(1)
"}".format(1)
"{a}".format(1)
"'٣'|int"
"٣" | int
"१२.५" | float
" +1_000 " | int
"1__0" | int
"0x1f" | int(0, 16)
"0b11" | int(base=2)
"0x1f" | int(base=0)
"zz" | int(base=36)
"0777" | int(0, 8)
"9" * 30 | int
"1e3" | int
"inf" | int
"abc" | int(7)
none | int
9007199254740993
9007199254740993 + 1
9007199254740992 * 3
2 ** 100
2 ** 100 - 2 ** 99
(2 ** 100) // 7
(2 ** 100) % 7
-(2 ** 100) // 7
-(2 ** 100) % 7
(2 ** 100) // -(2 ** 60)
(2 ** 100) % -(2 ** 60 + 1)
123456789012345678901234567890 * 987654321098765432109876543210
(10 ** 40) / (10 ** 20)
(10 ** 400) / (10 ** 399)
10 ** 400 * 1.0
2 ** 100 == 2.0 ** 100
2 ** 53 + 1 == 2.0 ** 53
2 ** 53 + 1 > 2.0 ** 53
2 ** 100 < 1e300
[2 ** 70, 2 ** 69] | sort
2 ** 64 in [2 ** 64]
{2 ** 64: "a"}[18446744073709551616]
{2 ** 64: "a"}[2.0 ** 64]
(2 ** 70) | string | length
2 ** 70 is odd
2 ** 70 + 1 is odd
2 ** 70 is divisibleby 1024
(2 ** 70) | abs ~ (-(2 ** 70)) | abs
(2 ** 70) | float
1e20 | int
1e23 | int
123456789012345678901 | round(-3)
123456789012345678901 | round(2)
(2 ** 70).bit_length()
"%d %x %o" | format(2 ** 70, 2 ** 70, 2 ** 70)
"{:,} {:b} {:e}".format(2 ** 70, 2 ** 70, 2 ** 70)
[1, 2][2 ** 64]
[1, 2][:2 ** 64]
"a" * 2 ** 64
big * big
big - 1
[big, 1] | sum
[big] | tojson
0xffffffffffffffffffff
0b1 + 0o17 + 0XfF
1_000_000_000_000_000_000_000
7.5 // 2
-7.5 // 2
-7.5 % 2
1e300 // 1e-300
5 // 0.0
"The quick brown fox jumps over the lazy dog" | wordwrap(10)
"The quick brown fox" | wordwrap(width=7, wrapstring="|")
"aaaaaaaaaaaa bb cc-dd-ee f" | wordwrap(5)
"aaaaaaaaaaaa bb cc-dd-ee f" | wordwrap(5, false)
"aaaaaaaaaaaa bb cc-dd-ee f" | wordwrap(5, true, "/", false)
"well-known em--dash -- x--y a--1 1-2-3 pre-A-b" | wordwrap(6)
"a\n\nb   c\td  " | wordwrap(3)
"x" | wordwrap(0)
numbers | wordwrap
[1, 1000, 1500000, 10 ** 30, 0, -5] | map("filesizeformat") | join("|")
[1, 1023, 1024, 1500000] | map("filesizeformat", true) | join("|")
"12345" | filesizeformat
"a" | filesizeformat
none | filesizeformat
[5] | random
[] | random
d | pprint
people | pprint
[people, people] | pprint
("word " * 30) | pprint
["word " * 30, 1] | pprint
{"key": "long text " * 12, "a": [1, 2]} | pprint
("a" * 100, ) | pprint
{"b": 1, "a": {"d": 1, "c": 2}} | pprint
"see http://example.com/a?b=c, or www.x.org." | urlize
"(https://example.com) <http://a.de/b_(c)> a@b.co mailto:x@y.com" | urlize
"http://example.com/very/long/path" | urlize(12)
"http://example.com" | urlize(nofollow=true, target="_blank", rel="me")
"ftp://x tel:123 example.com foo.bar http://1.2.3.4:80/x" | urlize(extra_schemes=["tel:", "ftp://"])
"x" | urlize(extra_schemes=["a b"])
{"class": "a b", "id": none, "title": '<"&>', "n": 1} | xmlattr
{"a": 1} | xmlattr(false)
{} | xmlattr
{"a b": 1} | xmlattr
"a\tb\tccc\td".expandtabs()
"abc".translate({97: "zz", 98: none, 99: 100})
"abca".translate("abc".maketrans("ab", "xy", "c"))
"abc".maketrans({"a": 1, 98: "x"})
"abc".maketrans("a", "b")
"abc".maketrans("ab", "c")
"abc".maketrans("abc")
"abc".translate({97: [1]})
lipsum is defined
lipsum(n=0)
lipsum(n=2, min=3, max=4, html=false) | wordcount
lipsum(n=3) | string | length > 100
"\N{HANGUL SYLLABLE HAN}\N{CJK UNIFIED IDEOGRAPH-4E2D}"
"\N{hangul syllable han}"
"\N{CJK UNIFIED IDEOGRAPH-4e2d}"
"\N{CJK UNIFIED IDEOGRAPH-4E2D{}"
"a\tb\n\tc".expandtabs(4) ~ "a\tb".expandtabs(0)
"é€😀".encode()
"é".encode("latin-1") ~ "é".encode("ascii", "replace") ~ "é".encode("ascii", "xmlcharrefreplace")
"é".encode("ascii")
"é".encode("nope")
"it's".encode() ~ "\n\\".encode()
"abc".encode()[0] ~ "abc".encode() | length
"é".encode().decode() ~ "é".encode().hex()
"\N{EM DASH}\N{greek small letter alpha}\N{CJK UNIFIED IDEOGRAPH-4E2D}\N{HANGUL SYLLABLE HAN}\N{GRINNING FACE}"
"\N{nope nope}"
"\N"
"\é\400\x41\u00e9\U0001F600\q"
range.name
loop
1.real ~ 1.5.imag ~ 1.numerator
[1, 2, 3][1, 2]
[1, 2, 3][]
numbers[0:1, 2]
[1, , 2]
[1, 2,]
[, 1]
[1 2]
{"a": 1, }
{"a" 1}
{, }
{"a": 1 "b": 2}
(1, , 2)
(,)
()
1,
, 1
f(1 2)
dict(a=1, a=2)
dict(a=1, 2)
dict(**d, a=1)
dict(*[], **{})
dict(**d)
range(*[1, 3]) | list
range(1, *[3]) | list
dict(a=1, *[])
[x for x in numbers]
{x: 1 for x in numbers}
x if
if
1 if 2 else
1 if else 2
not
not not 1
1 not 2
1 not in numbers
1 is not not defined
1 is
1 is defined is true
1 is (2)
1 is in [1]
1 and
and and and
in in in
1 < 2 < 3 < 0
1 == 1 in [true]
2 ** 3 ** 0
-1 | abs
- 1 ** 2
+ + 1
- - 1
1 +
1 ++ 1
* 1
1 // / 2
a.b.
a.
.a
a..b
a.1.2
a.'b'
a[
a[1
a[1:2:3:4]
a[::]
"abc"[::-1]
"abc"[1:][0]
a | 
a | 1
a | upper()
a | upper(
a | upper | 
a | a.b
a | upper.x
1 | upper[0]
(1 | string)[0]
'a' 'b' "c"
'a' 1
1.5.5
1..5
.5
5.
1e5
1e
1_
_1
1__0
0123
00
0x
0b2
1a
é
²
x²
x٣
“a”
a – b
a; b
a := 1
a == = b
a = b
a =! b
a ! b
a && b
a || b
a ? b : c
a @ b
`a`
a \ b
lambda x: x
x.__class__
{{}}
{ }
{"a": {"b": {}}}.a.b
"""

MORE_TEMPLATES = [
    ("final sigma in a filter block", "{% filter lower %}ΟΔΟΣ ΣΑΣ{% endfilter %}"),
    ("chained filters of a block", "{% filter upper | replace('A', 'b') | trim %} a c {% endfilter %}"),
    ("filter block without a name", "{% filter %}a{% endfilter %}"),
    ("filter block of an expression", "{% filter 1 | upper %}a{% endfilter %}"),
    ("print", "{% print 1, 'a', none %}|{% print %}|{% print 1, %}"),
    ("print values", "{% print 1, 'a', none %}|{% print %}|{% print (1, 2) %}"),
    ("autoescape", "{% autoescape true %}{{ html }}{{ html | safe }}{{ html ~ '>' }}{{ (html | safe) ~ html }}{% endautoescape %}{{ '<' }}"),
    ("autoescape off", "{% autoescape false %}{{ html }}{% endautoescape %}"),
    ("autoescape of captured text", "{% autoescape true %}{% set x %}<{{ '<' }}>{% endset %}{{ x }}{{ x ~ '<' }}{% endautoescape %}"),
    ("autoescape of a macro", "{% autoescape true %}{% macro m(a) %}<b>{{ a }}</b>{% endmacro %}{{ m('<') }}{% endautoescape %}"),
    ("autoescape of filters", "{% autoescape true %}{{ ['<', '>' | safe] | join('&') }}{{ {'a': '<'} | xmlattr }}{{ 'www.a.de' | urlize }}{{ '<' | upper }}{% endautoescape %}"),
    ("autoescape of a filter block", "{% autoescape true %}{% filter upper %}<{{ '<' }}{% endfilter %}{% endautoescape %}"),
    ("autoescape without a value", "{% autoescape %}{% endautoescape %}"),
    ("macro attributes", "{% macro m(a, b=1) %}{{ varargs }}{{ caller() }}{% endmacro %}{{ m.name }}{{ m.arguments }}{{ m.catch_varargs }}{{ m.catch_kwargs }}{{ m.caller }}"),
    ("macro without a caller", "{% macro m() %}x{% endmacro %}{% call m() %}y{% endcall %}"),
    ("macro with a caller parameter", "{% macro m(caller) %}{{ caller() }}{% endmacro %}"),
    ("macro with a caller default", "{% macro m(caller=none) %}{{ caller is none }}{% endmacro %}{{ m() }}"),
    ("macro with the same parameter twice", "{% macro m(a, a) %}{% endmacro %}"),
    ("macro with a comma at the end", "{% macro m(a,) %}{% endmacro %}"),
    ("macro with a constant", "{% macro m(true) %}{% endmacro %}"),
    ("macro without brackets", "{% macro m %}{% endmacro %}"),
    ("macro with defaults before others", "{% macro m(a=1, b) %}{% endmacro %}"),
    ("call of a filter", "{% call m() | upper %}{% endcall %}"),
    ("call of an attribute", "{% set ns = namespace() %}{% macro m() %}<{{ caller() }}>{% endmacro %}{% set ns.f = m %}{% call ns.f() %}a{% endcall %}"),
    ("call with a caller argument", "{% macro m() %}{{ caller() }}{% endmacro %}{% call m(caller=1) %}a{% endcall %}"),
    ("break outside a loop", "{% break %}"),
    ("break in a macro in a loop", "{% for x in numbers %}{% macro m() %}{% break %}{% endmacro %}{% endfor %}"),
    ("break in a block in a loop", "{% for x in numbers %}{% block b %}{% break %}{% endblock %}{% endfor %}"),
    ("break in a call in a loop", "{% macro m() %}{{ caller() }}{% endmacro %}{% for x in numbers %}{% call m() %}{% break %}{% endcall %}{% endfor %}"),
    ("break in else of a loop", "{% for x in [] %}{% else %}{% break %}{% endfor %}"),
    ("break in else of an inner loop", "{% for y in numbers %}{{ y }}{% for x in [] %}{% else %}{% break %}{% endfor %}{% endfor %}"),
    ("break in with, set and filter", "{% for x in numbers %}{% with %}{% if x == 1 %}{% break %}{% endif %}{% endwith %}{{ x }}{% endfor %}"),
    ("break in generation", "{% for x in numbers %}{% generation %}{% break %}{% endgeneration %}{% endfor %}"),
    ("21 loops", "{% for a in numbers %}" * 21 + "{% endfor %}" * 21),
    ("loop as a loop variable", "{% for loop in numbers %}{% endfor %}"),
    ("loop set in a loop", "{% for x in numbers %}{% set loop = 1 %}{% endfor %}"),
    ("loop set outside", "{% set loop = 1 %}{{ loop }}"),
    ("same block twice", "{% block a %}{% endblock %}{% block a %}{% endblock %}"),
    ("block scopes", "{% set x = 1 %}{% for i in numbers %}{% block b scoped %}{{ i }}{{ x }}{% endblock %}{% endfor %}"),
    ("block without scope", "{% for i in numbers %}{% block b %}{{ i }}{% endblock %}{% endfor %}"),
    ("block by name", "{% block b %}x{% endblock %}{{ self.b() }}"),
    ("required block", "{% block b required %} {% endblock %}"),
    ("required block with text", "{% block b required %}a{% endblock %}"),
    ("block name at the end", "{% block b %}{% endblock b %}{% block c %}{% endblock d %}"),
    ("block with a hyphen", "{% block a-b %}{% endblock %}"),
    ("colons of Python", "{% if true: %}a{% else: %}b{% endif %}{% for x in numbers: %}{{ x }}{% endfor %}"),
    ("colon at an end tag", "{% if true %}a{% endif: %}"),
    ("include in a branch not taken", "{% if false %}{% include 'a' %}{% import 'a' as b %}{% from 'a' import b, c as d with context %}{% endif %}ok"),
    ("from with a private name", "{% from 'a' import _b %}"),
    ("from without names", "{% from 'a' import %}"),
    ("import without as", "{% import 'a' %}"),
    ("extends in a loop", "{% for x in numbers %}{% extends 'a' %}{% endfor %}"),
    ("include with ignore missing", "{% if false %}{% include 'a' ignore missing without context %}{% endif %}ok"),
    ("unknown filter in a loop", "{% for x in [] %}{{ x | nope }}{% endfor %}"),
    ("unknown filter in a loop in a branch", "{% if false %}{% for x in [] %}{{ x | nope }}{% endfor %}{% endif %}"),
    ("unknown filter of a loop in a branch", "{% if false %}{% for x in [] | nope %}{% endfor %}{% endif %}ok"),
    ("unknown filter in a condition", "{{ 'a' if true else x | nope }}"),
    ("unknown test in a loop", "{% for x in [] %}{{ x is nope }}{% endfor %}"),
    ("unknown filter of a set block in a branch", "{% if false %}{% set x | nope %}{% endset %}{% endif %}"),
    ("unknown filter in a macro", "{% macro m() %}{{ 1 | nope }}{% endmacro %}"),
    ("targets", "{% set (a, b), c = (1, 2), 3 %}{{ a }}{{ b }}{{ c }}{% set (d) = 4 %}{{ d }}{% set e, = [5] %}{{ e }}"),
    ("target in square brackets", "{% set [a, b] = [1, 2] %}"),
    ("target that is a constant", "{% set none = 1 %}"),
    ("target that is a call", "{% set a() = 1 %}"),
    ("target that is an element", "{% set d['a'] = 1 %}"),
    ("target that is an attribute of an attribute", "{% set a.b.c = 1 %}"),
    ("target of a loop in an attribute", "{% set ns = namespace() %}{% for ns.a in numbers %}{% endfor %}"),
    ("empty target", "{% set () = () %}ok"),
    ("set without a value", "{% set x = %}"),
    ("set without a name", "{% set = 1 %}"),
    ("set with a tuple", "{% set x = 1, 2, %}{{ x }}"),
    ("with a comma at the end", "{% with a = 1, %}{{ a }}{% endwith %}"),
    ("with without a value", "{% with a %}{% endwith %}"),
    ("for without in", "{% for x numbers %}{% endfor %}"),
    ("for without a name", "{% for in numbers %}{% endfor %}"),
    ("for with a comma behind a name", "{% for x, in [[1], [2]] %}{{ x }}{% endfor %}"),
    ("for with a name like a word of the tag", "{% for x in 1, recursive %}{{ x }}{% endfor %}"),
    ("for over a tuple", "{% for x in 1, 2, %}{{ x }}{% endfor %}"),
    ("for with a condition", "{% for x in numbers if x > 1 else [] %}{% endfor %}"),
    ("for with a bracketed condition", "{% for x in (numbers if true else []) %}{{ x }}{% endfor %}"),
    ("for, recursive with a condition", "{% for x in [[1], []] if x recursive %}({{ x if x is number else loop(x) }}){% endfor %}"),
    ("elif behind else", "{% if true %}{% else %}{% elif true %}{% endif %}"),
    ("if without a condition", "{% if %}{% endif %}"),
    ("if with a tuple", "{% if 1, %}a{% endif %}"),
    ("word behind endif", "{% if true %}{% endif x %}"),
    ("word behind else", "{% if true %}{% else x %}{% endif %}"),
    ("name of a tag in quotes", "{% 'if' true %}{% endif %}"),
    ("raw with a word", "{% raw x %}{% endraw %}"),
    ("raw with a plus", "{% raw +%}{{ x }}{% endraw %}"),
    ("raw with spaces", "{%-  raw  -%}  {{ x }}  {%-  endraw  -%}  b"),
    ("set block with filters", "{% set x | upper | replace('A', 'b') %}a{% endset %}{{ x }}"),
    ("set block of two names", "{% set a, b %}xy{% endset %}{{ a }}-{{ b }}"),
    ("constant dictionary 1", "{% set x = {\"a b\"|list: 1} %}"),
    ("constant dictionary 2", "{% if {[1]:2} %}x{% endif %}"),
    ("constant dictionary 3", "{% if {[1]:2} is defined %}x{% endif %}"),
    ("constant dictionary 4", "{% autoescape x %}{{ {[1]:2}|length }}{% endautoescape %}"),
    ("constant dictionary 5", "{% autoescape true %}{{ {[1]:2}|length }}{% endautoescape %}"),
    ("constant dictionary 6", "{% filter indent({[1]:2}) %}a{% endfilter %}"),
    ("constant dictionary 7", "{% set x|indent({[1]:2}) %}a{% endset %}"),
    ("filter of a set block: a name that nothing else mentions", "{% set x|indent(nope) %}a{% endset %}"),
    ("filter of a set block: loop outside of loops", "{% set x|indent({ loop.index [1]:2}) %}a{% endset %}"),
    ("filter of a set block: a function", "{% set x|indent(range(2)|length) %}a\nb{% endset %}{{ x }}"),
    ("filter of a set block: a function that is used elsewhere",
     "{% set x|indent(range(2)|length) %}a\nb{% endset %}{{ x }}{{ range(1)|length }}"),
    ("filter of a set block: loop within one", "{% for i in [1, 2] %}{% set x|indent(loop.index) %}a\nb{% endset %}{{ x }}{% endfor %}"),
    ("filter of a set block: a name of its body", "{% set x|replace('a', text) %}a{{ text|length }}{% endset %}{{ x }}"),
    ("filter of a set block: a name of an inner loop", "{% set x|indent(i) %}{% for i in [1] %}a{% endfor %}{% endset %}"),
    ("filter of a set block: a name that is computed away", "{% set x|indent(false and nope) %}a{% endset %}{{ x }}"),
    ("filter of a set block: a parameter", "{% macro m(w) %}{% set x|indent(w) %}a\nb{% endset %}{{ x }}{% endmacro %}{{ m(1) }}"),
    ("filter of a set block: a name outside of a block", "{% set w = 1 %}{% block b %}{% set x|indent(w) %}a{% endset %}{% endblock %}"),
    ("constant dictionary 8", "{% call f({[1]:2}) %}{% endcall %}"),
    ("constant dictionary 9", "{% for a in {[1]:2} %}{% endfor %}"),
    ("constant dictionary 10", "{% for a in {[1]:2}|list %}{% endfor %}"),
    ("constant dictionary 11", "{% set ns.x = {[1]:2}|length %}"),
    ("constant dictionary 12", "{% macro f(a={[1]:2}|length) %}{% endmacro %}"),
    ("generators are lazy", "{% set g = ['a'] | map('nope') %}ok{{ g is iterable }}"),
    ("generators are read once", "{% set g = [1, 2] | map('string') %}{{ g | join }}|{{ g | join }}"),
]

FEATURES = [
    (expression, "{{ " + expression + " }}")
    for expression in [
        *EXPRESSIONS.strip().split("\n"), *EXPRESSIONS_OF_NOTHING, *MORE_EXPRESSIONS.strip().split("\n")
    ]
] + TEMPLATES + MORE_TEMPLATES
