"""Short stories: eight plots, told with many heroes, friends, places and things."""

import re

HEROES = {  # noun: (article, adjectives, what it does)
    "dog": ("a", ["little", "brown", "happy", "old"], "ran"), "cat": ("a", ["grey", "small", "lazy", "curious"], "walked"),
    "owl": ("an", ["wise", "young", "quiet", "small"], "flew"), "mouse": ("a", ["tiny", "brave", "shy", "grey"], "ran"),
    "fox": ("a", ["red", "clever", "young", "hungry"], "ran"), "bear": ("a", ["big", "brown", "sleepy", "friendly"], "walked"),
    "rabbit": ("a", ["white", "fast", "shy", "little"], "hopped"), "bird": ("a", ["blue", "little", "young", "happy"], "flew"),
    "frog": ("a", ["green", "small", "funny", "loud"], "hopped"), "horse": ("a", ["black", "proud", "strong", "young"], "ran"),
    "duck": ("a", ["yellow", "little", "funny", "white"], "swam"), "fish": ("a", ["golden", "small", "curious", "silver"], "swam"),
    "turtle": ("a", ["slow", "old", "patient", "green"], "walked"), "hedgehog": ("a", ["small", "shy", "brown", "sleepy"], "walked"),
    "robot": ("a", ["small", "shiny", "curious", "old"], "rolled"), "dragon": ("a", ["young", "green", "friendly", "lonely"], "flew"),
    "boat": ("a", ["little", "red", "wooden", "old"], "sailed"), "train": ("a", ["little", "blue", "slow", "old"], "rolled"),
    "girl": ("a", ["little", "clever", "brave", "kind"], "walked"), "boy": ("a", ["little", "kind", "curious", "brave"], "walked"),
    "king": ("a", ["kind", "old", "sad", "young"], "walked"), "squirrel": ("a", ["red", "quick", "little", "funny"], "ran"),
    "llama": ("a", ["proud", "white", "soft", "funny"], "walked"), "sheep": ("a", ["white", "soft", "shy", "young"], "walked"),
    "elephant": ("an", ["big", "grey", "gentle", "young"], "walked"), "lion": ("a", ["proud", "strong", "young", "sleepy"], "walked"),
    "star": ("a", ["bright", "little", "lonely", "young"], "flew"), "snail": ("a", ["slow", "small", "patient", "quiet"], "crept"),
}
NAMES = {"she": ["Lily", "Mia", "Anna", "Luna", "Rosa", "Emma", "Nina", "Bella", "Ida", "Molly"],
         "he": ["Tom", "Max", "Ben", "Leo", "Sam", "Otto", "Tim", "Paul", "Gus", "Felix"]}
ALWAYS = {"girl": "she", "boy": "he", "king": "he"}
PLACES = ["in a small village", "near a dark forest", "by the sea", "on a green hill", "in a big garden",
          "at the foot of a mountain", "by a quiet river", "on a small island", "at the edge of a town", "in an old house"]
THINGS = ["ball", "key", "hat", "lamp", "book", "bell", "ring", "kite", "cup", "shell"]
FOODS = ["apples", "berries", "nuts", "bread", "honey", "cake"]
HIDING = ["under an old tree", "behind a big stone", "in the tall grass", "under the bridge", "in a hollow tree",
          "beside the path"]

PLOTS = {
    "lost": [
        ["{Name} had a {thing} and loved it very much.", "What {name} loved most was a {thing}."],
        ["One day the {thing} was gone.", "One morning {name} could not find the {thing}."],
        ["{Name} looked everywhere, but could not find it.", "{He} looked in the house and in the garden, but it was not there."],
        ["Then {he} met {friend} named {other}.", "On the way {he} met {friend} whose name was {other}."],
        ["\"Why are you so sad?\" asked {other}.", "\"What are you looking for?\" asked {other}."],
        ["\"I have lost my {thing},\" said {name}.", "\"My {thing} is gone,\" said {name}."],
        ["They looked together, and soon they found the {thing} {hiding}.", "{Other} helped, and at last they saw the {thing} {hiding}."],
        ["{Name} was so happy that {he} danced.", "{Name} laughed and thanked {other}."]],
    "storm": [
        ["One evening dark clouds came, and a storm began.", "One night there was a great storm."],
        ["The wind was loud, and {name} was afraid.", "It rained and rained, and {name} was cold and wet."],
        ["Then {he} heard a small voice. It was {friend} named {other}, who was lost in the rain.",
         "Then {he} saw {friend} {hiding}. It was {other}, who was all alone."],
        ["\"Come with me,\" said {name}. \"I know a dry place.\"", "\"Do not be afraid,\" said {name}. \"We can stay together.\""],
        ["They sat close together {hiding} and told each other stories.", "They hid {hiding} and waited until the rain was over."],
        ["In the morning the sun came out, and the world was bright again.", "When the sun came up, the storm was gone."],
        ["\"Thank you,\" said {other}. \"You were very brave.\"", "{Other} thanked {name} for the help."]],
    "share": [
        ["One day {name} found {food}, more than {he} could eat.", "One day {name} had a big basket of {food}."],
        ["\"All this is mine,\" {he} thought.", "\"I will keep it all for me,\" said {name}."],
        ["Then {friend} named {other} came by and was very hungry.", "Then {he} saw {friend} named {other}, who had nothing to eat."],
        ["{Name} thought for a while.", "At first {name} said nothing."],
        ["\"Here, take some,\" {he} said at last.", "Then {he} gave half of the {food} to {other}."],
        ["They ate together and talked until the evening.", "They sat down {hiding} and ate together."],
        ["{Name} learned that all things taste better with a friend.", "{Name} saw that sharing makes two happy."]],
    "friend": [
        ["{Name} was often alone and wished for a friend.", "{Name} had no friend and was a little sad."],
        ["One day {he} {went} farther than ever before.", "One day {he} {went} into the wide world."],
        ["There {he} saw {friend} {hiding}.", "{Hiding_} sat {friend}."],
        ["\"Who are you?\" asked {name}. \"I am {other},\" was the answer.", "\"My name is {other}. Will you play with me?\""],
        ["They played all day long.", "They played until the sun went down."],
        ["\"Will you come again tomorrow?\" asked {other}.", "\"Let us meet again tomorrow,\" said {name}."],
        ["And from this day on {name} was never alone again.", "Since then they have been the best of friends."]],
    "learn": [
        ["{Name} wanted to learn how to {skill}.", "More than anything {name} wanted to {skill}."],
        ["{He} tried once, but it did not work.", "The first time it went wrong."],
        ["\"You can never do that,\" said {friend} named {other}.", "{Other}, {friend}, laughed at {him}."],
        ["But {name} did not give up.", "But {name} tried again every day."],
        ["Day after day {he} tried, and each day it went a little better.", "{He} fell down and got up again, many times."],
        ["At last {he} could {skill}.", "One morning it worked, and {name} could {skill}."],
        ["\"You were right to go on,\" said {other}.", "{Other} was surprised and said, \"Well done!\""]],
    "light": [
        ["One night {name} saw a light far away.", "One night there was a strange light {hiding}."],
        ["\"What can it be?\" {he} asked.", "{Name} could not sleep and wanted to know what it was."],
        ["So {he} {went} through the dark until {he} came near.", "{He} {went} closer and closer, without a sound."],
        ["It was {friend} named {other}, who carried a {thing} that shone like a star.",
         "There sat {friend} named {other} with a small lamp."],
        ["\"I am looking for my way home,\" said {other}.", "\"I am lost,\" said {other}, \"and I do not know the way.\""],
        ["\"I know the way,\" said {name}, and they went together.", "{Name} showed {other} the way."],
        ["When they came home, the moon was high in the sky.", "At the end of the night they were home."]],
    "gift": [
        ["It was the birthday of {other}, {friend} and a good friend of {name}.", "{Name} had a good friend named {other}, {friend}. One day it was the birthday of {other}."],
        ["\"What can I give?\" thought {name}. \"I have nothing.\"", "{Name} wanted to bring a gift, but had no money."],
        ["So {he} made a {thing} with great care.", "Then {he} found an old {thing} {hiding} and made it clean and bright."],
        ["{Name} {went} all the way to the house of {other}.", "In the evening {name} {went} to {other}."],
        ["\"This is for you,\" {he} said.", "\"I made it for you,\" said {name}."],
        ["\"It is the best gift of all,\" said {other}.", "{Other} was so happy that there were no words."],
        ["They ate {food} and laughed until midnight.", "Then there was cake, and all the friends sang."]],
    "sleep": [
        ["One night {name} could not sleep.", "It was late, but {name} was still awake."],
        ["{He} counted stars, one after the other, but it did not help.", "{He} turned to the left and to the right, but sleep did not come."],
        ["So {he} {went} outside and looked at the moon.", "So {he} {went} out into the quiet night."],
        ["There {he} met {friend} named {other}, who was awake too.", "{Hiding_} sat {other}, {friend}, and could not sleep either."],
        ["\"Let us listen to the night,\" said {other}.", "\"Shall I tell you a story?\" asked {other}."],
        ["They heard the wind in the leaves and the water of the river.", "{Other} spoke softly of far lands and high mountains."],
        ["Soon the eyes of {name} closed.", "Before the end {name} was asleep."]],
}
BEGINNINGS = ["Once upon a time there was {hero} named {name} who lived {place}.", "Once there was {hero} named {name}, who lived {place}.",
              "{Name} was {hero} who lived {place}.", "{Place_} lived {hero} named {name}."]
ENDINGS = ["", "", "And they lived happily ever after.", "That was a good day.", "And so the day ended well.", "The end.",
           "From then on they were good friends."]
SKILLS = {"fish": "jump over the waves", "bird": "fly", "duck": "dive", "robot": "laugh", "dragon": "fly", "boat": "sail in a storm",
          "train": "climb the hill", "star": "shine", "owl": "fly without a sound"}
OTHER_SKILLS = ["swim", "sing", "read", "climb a tree", "dance", "whistle"]

REQUESTS = ["Tell me a story about {}."] * 6 + [
    "Tell me a short story about {}.", "Can you tell me a story about {}?", "Write a story about {}.", "A story about {} please",
    "I want a story about {}.", "Please tell me a story about {}.", "Write a short story about {}.", "Tell a story about {}",
    "Do you know a story about {}?", "I would like to hear a story about {}.", "Give me a story about {}.",
    "Story about {}", "Could you tell me something about {} in a story?", "Make up a story about {}."]
ANY = ["Tell me a story.", "Tell me a short story.", "Can you tell me a story?", "Write a story.", "A story please", "Tell a story",
       "I want to hear a story.", "Please tell me a story.", "Write a short story.", "Tell me another story.", "One more story.",
       "Do you know a story?", "story", "Another story please", "Tell me a bedtime story.", "Please tell me a short story."]


def story(rng, hero=None, name=None):
    """A story, its hero and the hero's name."""
    hero = hero or rng.choice(list(HEROES))
    article, adjectives, went = HEROES[hero]
    he = ALWAYS.get(hero) or rng.choice(["he", "she"])
    name = name or rng.choice(NAMES[he])
    second = rng.choice([noun for noun in HEROES if noun not in (hero, "star", "boat", "train", "king")])
    adjective = rng.choice(HEROES[second][1])
    other = rng.choice([other for names in NAMES.values() for other in names if other != name])
    if second in ALWAYS:
        other = rng.choice([n for n in NAMES[ALWAYS[second]] if n != name])
    thing, hiding, place = rng.choice(THINGS), rng.choice(HIDING), rng.choice(PLACES)
    mine = rng.choice(adjectives)
    slots = {
        "hero": ("an " if mine[0] in "aeiou" else "a ") + f"{mine} {hero}", "name": name, "Name": name, "he": he,
        "He": he.capitalize(), "him": "him" if he == "he" else "her", "went": went, "place": place,
        "Place_": place[0].upper() + place[1:], "friend": ("an " if adjective[0] in "aeiou" else "a ") + f"{adjective} {second}",
        "other": other, "Other": other, "thing": thing, "hiding": hiding, "Hiding_": hiding[0].upper() + hiding[1:],
        "food": rng.choice(FOODS), "skill": SKILLS.get(hero, rng.choice(OTHER_SKILLS))}
    plot = PLOTS[rng.choice(list(PLOTS))]
    lines = [rng.choice(BEGINNINGS)] + [rng.choice(step) for step in plot] + [rng.choice(ENDINGS)]
    text = " ".join(line.format(**slots) for line in lines if line)
    return text, hero, name


def request(rng):
    """What somebody asks for, and the story."""
    if rng.random() < 0.25:
        return rng.choice(ANY), story(rng)[0]
    text, hero, name = story(rng)
    article = HEROES[hero][0]
    about = rng.choice([f"{article} {hero}"] * 6 + [f"{article} {hero} named {name}"] * 3 +
                       [f"the {hero}", f"{article} {HEROES[hero][1][0]} {hero}".replace("an ", "a ")])
    return rng.choice(REQUESTS).format(about), text


assert all(re.fullmatch(r"an?", article) for article, _, _ in HEROES.values())
