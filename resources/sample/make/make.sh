#!/usr/bin/env bash
# Makes the sample model from nothing: text, tokenizer, training, files. See ../README.md.
#   make.sh FOLDER      for checkpoints and the rest; what is there already is not made again
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
folder=$(readlink -f "${1:?make.sh FOLDER}")
program=${GUFO_CLI:-$here/../../../build/release/bin/gufo-cli}
python=/usr/bin/python3 # Debian's, which has python3-torch
out=$here/..

mkdir -p "$folder"
cd "$here"
[ -f "$folder/tokenizer.model" ] || "$python" tokenizer.py "$folder"
"$python" -u train.py "$folder"
"$python" -u train.py "$folder" --rounds 50 # goes on from there, with more of how a chat begins
rm -f "$out"/gufo-sample-1.4M-chat-v1.0-*.gguf
"$python" write_gguf.py "$folder" "$out/gufo-sample-1.4M-chat-v1.0-F16.gguf"
"$program" quantize "$out/gufo-sample-1.4M-chat-v1.0-F16.gguf" "$out/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf" Q8_0
"$program" quantize "$out/gufo-sample-1.4M-chat-v1.0-F16.gguf" "$out/gufo-sample-1.4M-chat-v1.0-Q4_K.gguf" Q4_K_S --tensor '.*_norm.weight=F32' --tensor '.*=Q4_K'
for type in F16 Q8_0 Q4_K; do
    "$program" validate "$out/gufo-sample-1.4M-chat-v1.0-$type.gguf" --deep
done
"$python" check.py "$folder" "$program"
