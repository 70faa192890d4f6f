// Reads the checkpoints of PyTorch before version 0.1.10: tar archives of four files.
//
//   sys_info   a pickle of facts about the system that wrote it
//   storages   a pickle of their number; for each a pickle (key, device, class), the number of its elements (i64) and
//              its bytes; a pickle of storages that are parts of others: (key, key of the whole, first element,
//              elements)
//   tensors    a pickle of their number; for each a pickle (key, key of its storage, class), the number of dimensions
//              (i32 and 4 unused bytes), the sizes, the strides and the first element (i64)
//   pickle     the objects, in which persistent ids are the keys of tensors
#pragma once

#include "base/job_context.h"
#include "formats/pytorch/globals.h"
#include "model/finding_list.h"
#include "model/model.h"

namespace gufo::pytorch {

// Fills in a model whose file is set, and adds the globals of its pickles to `globals`; if there is an error, the
// globals before it. Errors: the errors of Tar and pickle::read; Truncated; TooManyDimensions.
[[nodiscard]] Result<> readTarCheckpoint(Model& model, FindingList& findings, Bytes bytes, const JobContext& job,
                                         GlobalList& globals);

} // namespace gufo::pytorch
