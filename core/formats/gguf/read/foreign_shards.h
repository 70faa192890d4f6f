// Finds shards that were exchanged for those of another quantisation or of another model. Their numbers are right and
// their keys, which only the first shard has, say nothing, so the tensors are compared: in each role that a shard
// shares with others, such as attn_q, all of its tensors have a type (or a shape) that no other shard has there.
#pragma once

#include "model/finding_list.h"
#include "model/model.h"

namespace gufo::gguf {

// Adds a ShardForeign for each shard of a joined model that does not belong to the others. Where no shard is like
// another, the first one counts. A layer range with types of its own is no fault: it would have to coincide with a
// shard in every role. Takes time in proportion to the number of tensors.
void addForeignShards(const Model& joined, FindingList& findings);

} // namespace gufo::gguf
