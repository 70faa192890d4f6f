#!/usr/bin/env python3
"""Copies the fixtures that the project keeps, except for the architectures, from ../shared/fixtures to tests/data.

    tests/tools/copy_fixtures.py ../shared/fixtures

encoders: everything but the results of other engines. convert: the source, expected.json (without white space) and the
exact logits of the folders in CONVERSIONS. containers: everything. quantised: the first rows of the tensors of two models of arch, unquantised
and quantised by another program. Overwrites earlier output; needs python3-numpy.
"""

import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gguf_arrays  # noqa: E402

DATA = pathlib.Path(__file__).parent.parent / "data"

# Omitted because they are large or similar to one that is listed: bert-rank, gemma, gemma-embedding, glm4, gpt-oss-bf16,
# gpt2, llama-linear, mamba, mistral, modern-bert, olmo2, phi2, qwen3-embed, starcoder and t5.
CONVERSIONS = """
    bert bloom command-r deepseek2-lite falcon gemma2 gemma3 gpt-oss gpt2-bin-legacy gptneox granite lfm2 llama
    llama-bin llama3 mamba2 mpt olmoe phi3 qwen2 qwen2moe qwen3 qwen3-awq qwen3-bnb-int8 qwen3-ct-int4 qwen3-fp8
    qwen3-gptq qwen3-mlx4 qwen3-nvfp4 qwen3moe qwen3next smollm3 stablelm starcoder2 xlm-roberta-rank
""".split()


QUANTISED = [f"{model}{type}" for model in ("llama", "qwen2") for type in ("", ".Q4_0", ".Q8_0", ".Q4_K_M", ".Q6_K", ".IQ4_XS")]
ROWS = 4


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())


def copy_compact(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(json.loads(source.read_text()), ensure_ascii=False, separators=(",", ":")) + "\n")


def copy_first_rows(source, target):
    keys, tensors = gguf_arrays.read(source)
    keys = {key: value for key, value in keys.items() if not key.startswith("tokenizer.")}
    for name, tensor in tensors.items():
        if len(tensor.dims) == 2:
            dims = (tensor.dims[0], ROWS)
            tensors[name] = gguf_arrays.Tensor(dims, tensor.type, tensor.data[: ROWS * tensor.row_bytes])
    target.parent.mkdir(parents=True, exist_ok=True)
    gguf_arrays.write(target, keys, tensors)


def main():
    fixtures = pathlib.Path(sys.argv[1])
    for name in ("encoders", "convert", "containers", "quantised"):
        shutil.rmtree(DATA / name, ignore_errors=True)
    for path in sorted((fixtures / "encoders").iterdir()):
        if path.suffix in (".gguf", ".json") or path.name.endswith((".exact.bin", ".pooled.bin")):
            copy(path, DATA / "encoders" / path.name)
    for path in sorted((fixtures / "containers").iterdir()):
        copy(path, DATA / "containers" / path.name)
    for name in QUANTISED:
        copy_first_rows(fixtures / "arch" / f"{name}.gguf", DATA / "quantised" / f"{name}.gguf")
    for name in CONVERSIONS:
        folder = fixtures / "convert" / name
        expected = folder / "expected.json"
        copy_compact(expected, DATA / "convert" / name / "expected.json")
        facts = json.loads(expected.read_text())
        if facts["kind"] == "logits":
            copy(folder / "exact.bin", DATA / "convert" / name / "exact.bin")
        source = folder / facts["folder"]
        for path in sorted(source.rglob("*")):
            if path.is_file():
                copy(path, DATA / "convert" / name / path.relative_to(folder))


if __name__ == "__main__":
    main()
