"""Three tiny models for a rehearsal of nightly trainings: plain Python 3, no packages, seconds on one CPU core.

    python3 train.py classify|segment|depth train -e spec.json

With "tiny" in the place of the model's name it is model.name of the spec.

Each learns something real from data that it draws itself, so that its metrics depend on the seed as those of any network do, and
writes status.json line by line as TAO 7's PyTorch networks do. It resumes from <results_dir>/train/<model>_latest.pth.

The spec, in JSON: results_dir; train: {seed, num_epochs, lr, pause}; dataset: {seed, samples, wrong_labels}. The
variables WRONG_LABELS and PAUSE do the same as the last of each. To plant a regression set wrong_labels to 0.3; to plant a slow-down set
pause to the seconds that each epoch shall take longer.
"""

import datetime
import json
import math
import os
import random
import sys
import time

FONT = ("01110 10001 10011 10101 11001 10001 01110", "00100 01100 00100 00100 00100 00100 01110",
        "01110 10001 00001 00110 01000 10000 11111", "11111 00010 00100 00010 00001 10001 01110",
        "00010 00110 01010 10010 11111 00010 00010", "11111 10000 11110 00001 00001 10001 01110",
        "00110 01000 10000 11110 10001 10001 01110", "11111 00001 00010 00100 01000 01000 01000",
        "01110 10001 10001 01110 10001 10001 01110", "01110 10001 10001 01111 00001 00010 01100")
DIGITS = [[int(bit) for bit in glyph if bit != " "] for glyph in FONT]


def dot(weights, features):
    return sum(w * x for w, x in zip(weights, features))


class Classify:
    """Which digit is it? 35 pixels of which some are flipped; softmax regression."""

    outputs, features, lr = 10, 36, 0.05

    def sample(self, chance, wrong_labels):
        digit = chance.randrange(10)
        pixels = [bit if chance.random() > 0.18 else 1 - bit for bit in DIGITS[digit]] + [1]
        return [(pixels, chance.randrange(10) if chance.random() < wrong_labels else digit)]

    def step(self, weights, features, label, lr):
        scores = [dot(row, features) for row in weights]
        highest = max(scores)
        parts = [math.exp(score - highest) for score in scores]
        for digit, row in enumerate(weights):
            error = parts[digit] / sum(parts) - (digit == label)
            for i, x in enumerate(features):
                row[i] -= lr * error * x
        return -math.log(max(parts[label] / sum(parts), 1e-12))

    def metrics(self, weights, samples):
        hits = sum(max(range(10), key=lambda digit: dot(weights[digit], features)) == label
                   for features, label in samples)
        return {"val_acc_1": hits / len(samples)}


class Segment:
    """Which pixels belong to the bright square? Logistic regression over three by three pixels."""

    outputs, features, lr, size = 1, 10, 0.05, 10

    def sample(self, chance, wrong_labels):
        top, left, edge = chance.randrange(6), chance.randrange(6), chance.randrange(3, 6)
        inside = [[top <= y < top + edge and left <= x < left + edge for x in range(self.size)] for y in range(self.size)]
        image = [[cell + chance.gauss(0, 0.7) for cell in row] for row in inside]
        near = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
        return [([image[y + dy][x + dx] for dy, dx in near] + [1], inside[y][x] != (chance.random() < wrong_labels))
                for y in range(1, self.size - 1) for x in range(1, self.size - 1)]

    def step(self, weights, features, label, lr):
        guess = 1 / (1 + math.exp(-dot(weights[0], features)))
        for i, x in enumerate(features):
            weights[0][i] -= lr * (guess - label) * x
        return -math.log(max(guess if label else 1 - guess, 1e-12))

    def metrics(self, weights, samples):
        counts = {True: [0, 0], False: [0, 0]}
        for features, label in samples:
            guess = dot(weights[0], features) > 0
            for kind, (both, either) in counts.items():
                counts[kind] = [both + (guess == kind == label), either + (guess == kind or label == kind)]
        ratios = [both / max(either, 1) for both, either in counts.values()]
        return {"val_miou": sum(ratios) / 2, "val_acc": sum(both for both, _ in counts.values()) / len(samples)}


class Depth:
    """How far is it? Linear regression of the logarithm of a distance on what a camera would see."""

    outputs, features, lr = 1, 4, 0.02

    def sample(self, chance, wrong_labels):
        far = math.exp(chance.uniform(0, 2))
        seen = [math.log(1 / far) + chance.gauss(0, 0.25), -far / 8 + chance.gauss(0, 0.2), chance.gauss(0, 1), 1]
        return [(seen, far * math.exp(2 * wrong_labels * chance.random()))]

    def step(self, weights, features, label, lr):
        error = dot(weights[0], features) - math.log(label)
        for i, x in enumerate(features):
            weights[0][i] -= lr * error * x
        return error * error

    def metrics(self, weights, samples):
        pairs = [(math.exp(dot(weights[0], features)), label) for features, label in samples]
        return {"val/abs_rel": sum(abs(guess - label) / label for guess, label in pairs) / len(pairs),
                "val/d1": sum(max(guess / label, label / guess) < 1.25 for guess, label in pairs) / len(pairs)}


class Status:
    """status.json: one JSON object a line; the metrics stay on every later line until others replace them."""

    def __init__(self, directory):
        self.file = open(os.path.join(directory, "status.json"), "a", encoding="utf-8")
        self.kpi = {}

    def write(self, status, message, kpi=None, **first):
        now = datetime.datetime.now()
        self.kpi = kpi or self.kpi
        line = dict(first, date=f"{now.month}/{now.day}/{now.year}", time=f"{now.hour}:{now.minute}:{now.second}",
                    status=status, verbosity="INFO", message=message)
        self.file.write(json.dumps(dict(line, kpi=self.kpi) if self.kpi else line) + "\n")
        self.file.flush()


def train(name, spec):
    model = {"classify": Classify, "segment": Segment, "depth": Depth}[name]()
    settings, dataset = spec.get("train", {}), spec.get("dataset", {})
    epochs, lr = int(settings.get("num_epochs", 8)), float(settings.get("lr", model.lr))
    directory = os.path.join(spec["results_dir"], "train")
    os.makedirs(directory, exist_ok=True)
    status = Status(directory)
    status.write("STARTED", f"Starting {name.capitalize()} train.")
    weights, begin = [[0.0] * model.features for _ in range(model.outputs)], 0
    latest = os.path.join(directory, name + "_latest.pth")
    if os.path.exists(latest):
        with open(latest, encoding="utf-8") as file:
            saved = json.load(file)
        weights, begin = saved["weights"], saved["epoch"] + 1
        status.write("RUNNING", f"Resuming training from checkpoint: {os.path.realpath(latest)}")
    samples = int(dataset.get("samples", 60 if name == "segment" else 600))
    drawn = random.Random(int(dataset.get("seed", 0)))
    held_back = [each for _ in range(samples) for each in model.sample(drawn, 0)]
    status.write("STARTED", "Starting Training Loop.")
    for epoch in range(begin, epochs):
        started, chance = time.perf_counter(), random.Random(1000 * int(settings.get("seed", 1234)) + epoch)
        batch = [each for _ in range(samples) for each in model.sample(chance, float(os.environ.get("WRONG_LABELS") or dataset.get("wrong_labels", 0)))]
        loss = sum(model.step(weights, features, label, lr / (1 + epoch)) for features, label in batch) / len(batch)
        time.sleep(float(os.environ.get("PAUSE") or settings.get("pause", 0)))
        took, step = time.perf_counter() - started, (epoch + 1) * len(batch)
        metrics = model.metrics(weights, held_back)
        status.write("RUNNING", "Eval metrics generated.", metrics)
        status.write("RUNNING", "Training loop in progress", epoch=epoch, step=step, max_epoch=epochs - 1,
                     max_step=epochs * len(batch), time_per_epoch=str(datetime.timedelta(seconds=took)),
                     time_per_step=str(datetime.timedelta(seconds=took / len(batch))),
                     eta=str(datetime.timedelta(seconds=took * (epochs - 1 - epoch))))
        status.write("RUNNING", "Train metrics generated.", {"train_loss": loss})
        checkpoint = f"model_epoch_{epoch:03d}_step_{step:05d}.pth"
        with open(os.path.join(directory, checkpoint), "w", encoding="utf-8") as file:
            json.dump({"epoch": epoch, "weights": weights}, file)
        if os.path.lexists(latest):
            os.remove(latest)
        os.symlink(checkpoint, latest)
        shown = ", ".join(f"{key} {value:.4f}" for key, value in metrics.items())
        print(f"Epoch {epoch + 1}/{epochs}: train_loss {loss:.4f}, {shown}, {len(batch) / took:.0f} samples/s", flush=True)
    status.write("RUNNING", "Training loop complete.")
    status.write("RUNNING", "Train finished successfully.")


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[1] not in ("classify", "segment", "depth", "tiny") or sys.argv[2:4] != ["train", "-e"]:
        sys.exit("usage: train.py classify|segment|depth train -e spec.json")
    with open(sys.argv[4], encoding="utf-8") as spec_file:
        spec = json.load(spec_file)
    train(spec["model"]["name"] if sys.argv[1] == "tiny" else sys.argv[1], spec)
