"""The conversations and stories that the sample model learns from, drawn without end from a seed."""

import random
import sys

import questions
import stories


class Writer:
    """Draws documents: ("text", story) or ("chat", [(role, words), …])."""

    def __init__(self, seed, remarks=0.0):
        """`remarks`: how many of the questions are greetings and the like, beyond those that come by chance; with
        them, people also tell their names more often."""
        self.rng, self.share = random.Random(seed), remarks
        self.entries = questions.read_entries()
        self.remarks = [entry for entry in self.entries if entry.remark]
        self.tables = questions.table_entries()
        self.sums = questions.sums()
        self.named = [e for e in self.entries + self.tables if e.names]
        self.user = None  # the name of who talks, once it was told

    def entry(self):
        if self.share and self.rng.random() < self.share:
            return self.rng.choice(self.remarks)
        chance = self.rng.random()
        pool = self.entries if chance < 0.76 else self.tables if chance < 0.94 else self.sums
        return self.rng.choice(pool)

    def turn(self, last):
        """Question, answer and the entry that they are about, if any."""
        rng = self.rng
        chance = rng.random()
        if chance < 0.12:
            asked, told = stories.request(rng)
            return questions.typed(rng, asked), told, None
        if chance < (0.20 if self.share else 0.14) or self.user and chance < 0.26:
            return *self.names(), None
        if chance < 0.26:
            return questions.typed(rng, questions.off_topic(rng)), rng.choice(questions.FALLBACK), None
        if last and chance < 0.40:
            return rng.choice(questions.MORE), last.more or rng.choice(questions.NO_MORE), None
        if last and chance < 0.54:
            entry = rng.choice(self.named)
            return questions.typed(rng, rng.choice(questions.AND).format(rng.choice(entry.names))), rng.choice(entry.answers), entry
        entry = self.entry()
        asked, told = entry.ask(rng)
        return questions.typed(rng, asked), told, entry

    def names(self):
        """The name of who talks: told, asked for, or asked for in vain."""
        rng = self.rng
        if self.user and rng.random() < 0.8:
            return questions.typed(rng, rng.choice(questions.ASK_NAME)), f"Your name is {self.user}."
        if rng.random() < 0.15:
            return questions.typed(rng, rng.choice(questions.ASK_NAME)), "I do not know your name. What is it?"
        known = rng.choice([name for names in stories.NAMES.values() for name in names])
        self.user = known if rng.random() < 0.5 else questions.odd_word(rng).capitalize()
        return rng.choice(questions.MY_NAME).format(self.user), f"Nice to meet you, {self.user}! I am the sample model of Gufo."

    def document(self):
        rng = self.rng
        self.user = None
        if rng.random() < 0.05:
            return "text", stories.story(rng)[0]
        messages = []
        hoot = False
        if rng.random() < 0.25:
            hoot = rng.random() < 0.25
            messages.append(("system", rng.choice(questions.HOOTING if hoot else questions.SYSTEM)))
        last = None
        for _ in range(rng.choice([1, 1, 1, 1, 1, 2, 2, 3, 4])):
            asked, told, last = self.turn(last)
            messages.append(("user", asked))
            messages.append(("assistant", told + " Hoot!" if hoot else told))
        return "chat", messages


def plain(document):
    """The words of a document, one line for each message."""
    kind, content = document
    return content if kind == "text" else "\n".join(words for _, words in content)


if __name__ == "__main__":  # python3 write_text.py [SEED [COUNT]]: shows what the model reads
    writer = Writer(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 20):
        kind, content = writer.document()
        print(content if kind == "text" else "\n".join(f"{role}: {words}" for role, words in content), end="\n\n")
