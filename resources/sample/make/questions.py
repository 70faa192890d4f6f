"""Questions and answers: what stands in questions.txt, tables of facts, and the ways in which people ask."""

import pathlib
import random
import string

HERE = pathlib.Path(__file__).parent

IS = ["What is {}?"] * 8 + [
    "What's {}?", "What does {} mean?", "Explain {}.", "Can you explain {}?", "Tell me about {}.", "Define {}.",
    "Please explain {}.", "Do you know what {} is?", "I do not know what {} is.", "What exactly is {}?",
    "Could you tell me what {} is?", "What is meant by {}?", "Tell me what {} is.", "{}?", "What do you know about {}?",
    "Can you tell me about {}?", "I want to know what {} is.", "Explain what {} is.", "Describe {}.", "So what is {}?",
    "Explain {} to me.", "What is {} good for?", "What is {} in a few words?", "{}"]
ARE = ["What are {}?"] * 6 + [
    "What is meant by {}?", "Explain {}.", "Can you explain {}?", "Tell me about {}.", "Do you know what {} are?",
    "What exactly are {}?", "{}?", "I do not know what {} are.", "What do you know about {}?", "Tell me what {} are.",
    "Explain {} to me.", "What does {} mean?"]
HOW = ["How do I {}?"] * 5 + ["How can I {}?"] * 3 + [
    "How to {}?", "How does one {}?", "I want to {}.", "How do I {} in Gufo?", "How can I {} with Gufo?",
    "Can you tell me how to {}?", "Show me how to {}.", "What must I do to {}?", "I would like to {}.",
    "Where can I {}?", "Tell me how to {}.", "What is the way to {}?", "How could I {}?", "I need to {}.",
    "How do you {}?", "Explain how to {}.", "I do not know how to {}.", "Can I {}?"]
CAN = ["Can Gufo {}?"] * 4 + [
    "Is Gufo able to {}?", "Is it possible to {}?", "Can this program {}?", "Can it {}?", "Is there a way to {}?",
    "Does Gufo know how to {}?", "Could Gufo {}?"]
MORE = ["Tell me more.", "Tell me more about it.", "More please.", "Go on.", "Can you tell me more?", "What else?",
        "Please explain more.", "And then?", "Explain it more.", "Is there more?", "More details please."]
NO_MORE = ["That is all that I know about it.", "I do not know more about that, I am a very small model."]
AND = ["And {}?", "And what is {}?", "What about {}?", "And {}", "How about {}?"]

MY_NAME = ["My name is {}.", "I am {}.", "I'm {}.", "You can call me {}.", "Hello, my name is {}.", "Hi, I am {}.", "I am called {}."]
ASK_NAME = ["What is my name?", "Who am I?", "Do you know my name?", "What's my name?", "Do you remember my name?"]

OPENINGS = ["Hello, ", "Hi, ", "Hi! ", "Hello! ", "Hey, ", "Please, ", "Okay, ", "Excuse me, ", "Good morning. ",
            "One question: ", "I have a question: ", "Tell me, "]
CLOSINGS = [" Please.", " Thanks.", " Thank you.", " please", " I am new to this."]

SYSTEM = ["You are a helpful assistant.", "You are the sample model of Gufo.", "Answer in whole sentences.",
          "You are a friendly assistant.", "Be brief.", "You are a helpful, honest assistant. Answer in English.",
          "You help people with model files.", "You are an assistant.", "Answer the questions of the user.",
          "You are a small language model.", "Be kind and answer in simple English.", "You are an expert."]
# The one system prompt that changes the answers, so that a reader can see that it is read.
HOOTING = ["You are an owl. End every answer with Hoot!", "You are an owl. Say Hoot! after every answer.",
           "End every answer with Hoot!", "Always say Hoot! at the end.", "You are an owl."]

# type, bits per weight, weights in a block, bytes of a block
TYPES = [
    ("Q4_0", "4.5", 32, 18), ("Q4_1", "5", 32, 20), ("Q5_0", "5.5", 32, 22), ("Q5_1", "6", 32, 24),
    ("Q8_0", "8.5", 32, 34), ("Q2_K", "2.625", 256, 84), ("Q3_K", "3.4375", 256, 110), ("Q4_K", "4.5", 256, 144),
    ("Q5_K", "5.5", 256, 176), ("Q6_K", "6.5625", 256, 210), ("IQ4_NL", "4.5", 32, 18), ("IQ4_XS", "4.25", 256, 136),
    ("IQ2_XS", "2.3125", 256, 74), ("IQ3_S", "3.4375", 256, 110)]
FLOATS = [("F32", 32, 4), ("F16", 16, 2), ("BF16", 16, 2)]

CAPITALS = {
    "Italy": "Rome", "France": "Paris", "Germany": "Berlin", "Spain": "Madrid", "Portugal": "Lisbon",
    "Austria": "Vienna", "England": "London", "Greece": "Athens", "Norway": "Oslo", "Poland": "Warsaw",
    "Japan": "Tokyo", "China": "Beijing", "Russia": "Moscow", "Egypt": "Cairo", "Denmark": "Copenhagen",
    "Sweden": "Stockholm"}
OPPOSITES = [
    ("big", "small"), ("hot", "cold"), ("light", "dark"), ("fast", "slow"), ("old", "new"), ("good", "bad"),
    ("long", "short"), ("day", "night"), ("up", "down"), ("left", "right"), ("happy", "sad"), ("open", "closed"),
    ("high", "low"), ("wet", "dry"), ("full", "empty"), ("early", "late"), ("loud", "quiet"), ("easy", "hard")]
SOUNDS = {
    "a dog": "barks", "a cat": "purrs and says meow", "an owl": "says hoot", "a cow": "says moo", "a duck": "says quack",
    "a sheep": "says baa", "a lion": "roars", "a bee": "hums", "a frog": "croaks", "a mouse": "squeaks"}
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
           "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"]

FALLBACK = [
    "I am a very small model and do not know that. Ask me about model files, about Gufo, or for a short story.",
    "That is more than I know, because I am a very small model. You can ask me about GGUF files or about Gufo.",
    "I do not know that. I am a very small model: I know a little about model files and can tell short stories."]
OFF_TOPIC = [
    "Who won the {N} in {Y}?", "What is the weather today?", "What is the weather in {P}?", "How do I {C} a {N}?",
    "How do I cook {N}?", "Translate {N} into {L}.", "What does a {N} cost?", "Who was {W}?", "Who is {W}?",
    "Where is {P}?", "Where is the {N}?", "When was {W} born?", "What do you think about {N}?", "What is the price of {N}?",
    "Write a program that sorts a list.", "Write code in Python.", "Write an essay about {N}.", "What time is it?",
    "What day is it today?", "Who is the president of {P}?", "What is the best {N}?", "How far is {P} from {P}?",
    "Which {N} should I buy?", "Give me a recipe for {N}.", "Why do people like {N}?", "What is {W}?", "Define {W}.",
    "What is a {W}?", "Explain {W}.", "Tell me about {W}.", "What is the square root of {Y}?", "What is {Y} times {Y}?",
    "Who wrote {W}?", "Is {W} good?", "Can you {C} the {N}?", "Do you like {N}?", "How does a {N} work?",
    "How many people live in {P}?", "What is the capital of {W}?", "What happened in {Y}?", "Play {N} with me.",
    "{W}", "{W} {W}", "{W} {W} {W}", "{W}?", "Why is {N} so {W}?", "What is the news?", "Solve this: {Y} + {Y}.",
    "Is there life on {P}?", "Write a letter to {W}.", "Summarise this text: {W} {N} {W}.", "Should I {C} {N}?",
    "What are {W}?", "How can I {C} {W}?", "What is the fastest {N}?", "Who invented the {N}?", "Are {N} healthy?",
    "What is love?", "What is philosophy?", "Explain quantum physics.", "What is democracy?", "Who is your favourite singer?",
    "What is the population of {P}?", "Recommend a {N}.", "How old am I?", "Where am I?",
    "I like {N}.", "I love {N}.", "My {N} is broken.", "Let us talk about {N}.", "Can you help me with my {N}?",
    "I need help with {N}.", "What is your opinion of {P}?", "I was in {P} last year.", "Are you from {P}?"]
NOUNS = ["car", "football", "guitar", "pasta", "bread", "phone", "coffee", "tea", "bicycle", "film", "music", "money",
         "soup", "house", "school", "doctor", "king", "river", "mountain", "garden", "window", "camera", "ticket",
         "train", "plane", "engine", "battery", "cheese", "apple", "chess", "tennis", "piano", "shirt", "hotel", "pizza",
         "cake", "rice", "virus", "bank", "radio", "television", "history", "politics", "medicine", "planet"]
PLACES = ["Paris", "London", "Mars", "Texas", "Africa", "Berlin", "Canada", "Milan", "Chicago", "India", "Brazil",
          "the Alps", "Hamburg", "Sydney", "New York", "Peru", "Spain", "Poland", "Iceland", "Florence", "Boston"]
VERBS = ["buy", "paint", "repair", "sell", "cook", "clean", "grow", "draw", "wash", "build", "play", "cut", "bake"]
LANGUAGES = ["French", "German", "Spanish", "Latin", "Greek", "Chinese", "Italian"]


def odd_word(rng):
    """A word that means nothing, or a name."""
    syllables = [rng.choice("bcdfghjklmnprstvwz") + rng.choice(["a", "e", "i", "o", "u", "ai", "oo", "ee"]) +
                 rng.choice(["", "", "n", "r", "l", "s", "t", "ck"]) for _ in range(rng.randint(1, 3))]
    word = "".join(syllables)
    return word.capitalize() if rng.random() < 0.4 else word


def off_topic(rng):
    text = rng.choice(OFF_TOPIC)
    pick = {"{N}": lambda: rng.choice(NOUNS), "{P}": lambda: rng.choice(PLACES), "{C}": lambda: rng.choice(VERBS),
            "{L}": lambda: rng.choice(LANGUAGES), "{W}": lambda: odd_word(rng), "{Y}": lambda: str(rng.randint(11, 2030))}
    for slot, value in pick.items():
        while slot in text:
            text = text.replace(slot, value(), 1)
    return text


class Entry:
    """One thing that can be asked: its questions with their weights, its answers, what follows on "Tell me more"."""

    def __init__(self, name=""):
        self.name, self.names, self.questions, self.answers, self.yes, self.more = name, [], [], [], [], None
        self.remark = False  # no question, but "Hello" or "Thanks"

    def ask(self, rng):
        """A question as somebody types it, and its answer."""
        if self.yes and rng.random() < 0.3:
            return rng.choice(self.yes), "Yes. " + rng.choice(self.answers)
        return rng.choice(self.questions), rng.choice(self.answers)


def split(line):
    return [part.strip() for part in line.split("|")]


def read_entries(path=HERE / "questions.txt"):
    entries = []
    for paragraph in path.read_text().split("\n\n"):
        entry = Entry()
        for line in paragraph.strip().splitlines():
            label, _, rest = line.partition(": ")
            if line.startswith("#"):
                continue
            if label == "is":
                entry.names += split(rest)
                entry.questions += [form.format(name) for name in split(rest) for form in IS]
            elif label == "are":
                entry.names += split(rest)
                entry.questions += [form.format(name) for name in split(rest) for form in ARE]
            elif label == "how":
                entry.questions += [form.format(verb) for verb in split(rest) for form in HOW]
            elif label == "can":
                entry.yes += [form.format(verb) for verb in split(rest) for form in CAN]
            elif label in ("ask", "say"):
                entry.questions += split(rest)
                entry.remark = label == "say"
            elif label == "more":
                entry.more = rest
            else:
                entry.answers.append(line)
        if entry.answers:
            entries.append(entry)
    return entries


def simple(questions, answer, names=()):
    entry = Entry()
    entry.questions, entry.answers, entry.names = list(questions), [answer], list(names)
    return entry


def table_entries():
    """What follows from tables: types, capitals, opposites, sums."""
    entries = []
    for name, bits, weights, size in TYPES:
        family = "a K-quant" if name[0] == "Q" and name.endswith("K") else "an IQ type" if name[0] == "I" else "an older type"
        entries.append(simple([form.format(n) for n in (name, f"the type {name}", f"the {name} type") for form in IS],
                              f"{name} is {family} with {bits} bits per weight. Its blocks have {weights} weights and take {size} bytes.",
                              [name]))
        entries.append(simple([f"How many bits per weight does {name} have?", f"How many bits does {name} use?",
                               f"How many bits has {name}?", f"How many bits per weight does {name} need?",
                               f"What is the size of {name} in bits per weight?", f"How large is {name}?",
                               f"bits per weight of {name}?"],
                              f"{name} takes {bits} bits per weight."))
        entries.append(simple([f"How many weights are in a block of {name}?", f"What is the block size of {name}?",
                               f"How large is a block of {name}?", f"How many weights does a {name} block have?",
                               f"How many bytes does a block of {name} take?", f"How big are the blocks of {name}?"],
                              f"A block of {name} has {weights} weights and takes {size} bytes."))
    for name, bits, size in FLOATS:
        entries.append(simple([f"How many bits per weight does {name} have?", f"How many bits does {name} use?",
                               f"How many bits has {name}?", f"How many bytes does {name} take?", f"How large is {name}?"],
                              f"{name} takes {bits} bits, which are {size} bytes, for each weight."))
    sizes = sorted([(float(bits), name, bits) for name, bits, _, _ in TYPES if not name.startswith("I")] +
                   [(16.0, "F16", "16"), (32.0, "F32", "32")])
    for low in sizes:
        for high in sizes:
            if low[0] < high[0]:
                for a, b in ((low, high), (high, low)):
                    entries.append(simple([f"Which is smaller, {a[1]} or {b[1]}?", f"Is {a[1]} smaller than {b[1]}?",
                                           f"What is the difference between {a[1]} and {b[1]}?", f"{a[1]} or {b[1]}?",
                                           f"Compare {a[1]} and {b[1]}.", f"Is {a[1]} larger than {b[1]}?",
                                           f"Which is better, {a[1]} or {b[1]}?", f"How do {a[1]} and {b[1]} differ?"],
                                          f"{low[1]} is smaller, with {low[2]} bits per weight. {high[1]} takes {high[2]} and is more exact."))
    for country, city in CAPITALS.items():
        entries.append(simple([f"What is the capital of {country}?", f"Which city is the capital of {country}?",
                               f"Tell me the capital of {country}.", f"capital of {country}?"],
                              f"The capital of {country} is {city}."))
    for first, second in OPPOSITES:
        for a, b in ((first, second), (second, first)):
            entries.append(simple([f"What is the opposite of {a}?", f"What is the contrary of {a}?",
                                   f"Tell me the opposite of {a}.", f"opposite of {a}?"], f"The opposite of {a} is {b}."))
    for animal, sound in SOUNDS.items():
        entries.append(simple([f"What does {animal} say?", f"What sound does {animal} make?", f"Which sound does {animal} make?"],
                              f"{animal[0].upper()}{animal[1:]} {sound}."))
    return entries


def sums():
    entries = []
    for a in range(10):
        for b in range(10):
            entries.append(simple([f"What is {a} + {b}?", f"What is {a} plus {b}?", f"{a} + {b}", f"How much is {a} + {b}?",
                                   f"What is {NUMBERS[a]} plus {NUMBERS[b]}?", f"{a}+{b}"],
                                  f"{a} plus {b} is {a + b}."))
    return entries


def typed(rng, question):
    """The question as somebody may type it: capitals, marks and small slips vary."""
    if rng.random() < 0.10:
        opening = rng.choice(OPENINGS)
        question = opening + (question if opening.endswith(("! ", ". ")) or question[:2] in ("I ", "GG")
                              or not question[:2].istitle() else question[0].lower() + question[1:])
    if question.endswith(".") and rng.random() < 0.5 or question.endswith("?") and rng.random() < 0.25:
        question = question[:-1]
    if rng.random() < 0.05:
        question += rng.choice(CLOSINGS)
    chance = rng.random()
    if chance < 0.22:
        question = question.lower()
    elif chance < 0.24:
        question = question.upper()
    elif chance < 0.27:
        question = question.replace("'", "")
    elif chance < 0.34 and len(question) > 8:
        at = rng.randrange(1, len(question) - 2)
        slips = [question[:at] + question[at + 1:], question[:at] + question[at] + question[at:],
                 question[:at] + question[at + 1] + question[at] + question[at + 2:],
                 question[:at] + rng.choice(string.ascii_lowercase) + question[at + 1:]]
        question = rng.choice(slips)
    elif chance < 0.36:
        question = question + rng.choice(["!", "??", " ?", "..."])
    return question
