#include "inference/engine/binding/shape_reader.h"

namespace gufo::inference {

bool ShapeReader::isRecurrent(std::uint32_t block, std::uint64_t kvHeads) {
    switch (m_shape.architecture->recurrence.blocks) {
    case RecurrentBlocks::All:
    case RecurrentBlocks::Beside:
        return true;
    case RecurrentBlocks::WithoutKvHeads:
        return kvHeads == 0;
    case RecurrentBlocks::ByInterval:
        break;
    }
    constexpr std::string_view kLayers = "attention.recurrent_layers";
    if (m_parameters.find(kLayers) != nullptr) {
        const auto flag = m_parameters.uintAt(kLayers, block);
        if (!flag) {
            refuse(kLayers);
        }
        return flag.value_or(0) != 0;
    }
    constexpr std::string_view kInterval = "full_attention_interval";
    const std::uint64_t interval = optional(kInterval, 4);
    if (interval == 0) {
        refuse(kInterval);
        return false;
    }
    return (block + 1) % interval != 0;
}

void ShapeReader::readRecurrence() {
    if (m_refusal) {
        return;
    }
    SsmShape& ssm = m_shape.ssm;
    switch (m_shape.architecture->recurrence.kind) {
    case Recurrence::None:
        return;
    case Recurrence::ShortConvolution:
        m_shape.shortConvolution = length("shortconv.l_cache");
        return;
    case Recurrence::GatedDelta:
        return readDelta();
    case Recurrence::KimiDelta:
        return readKimiDelta();
    case Recurrence::Mamba:
    case Recurrence::Mamba2:
        break;
    }
    ssm = {.convolution = length("ssm.conv_kernel"),
           .inner = length("ssm.inner_size"),
           .state = length("ssm.state_size"),
           .timeStepRank = length("ssm.time_step_rank"),
           .normed = flag("ssm.dt_b_c_rms", false)};
    if (m_shape.architecture->recurrence.kind == Recurrence::Mamba) {
        return;
    }
    ssm.groups = length("ssm.group_count");
    if (ssm.inner % ssm.timeStepRank != 0) {
        refuse("ssm.time_step_rank");
    }
    if (ssm.timeStepRank % ssm.groups != 0) {
        refuse("ssm.group_count");
    }
}

void ShapeReader::readDelta() {
    const std::uint32_t state = length("ssm.state_size");
    m_shape.delta = {.convolution = length("ssm.conv_kernel"),
                     .keyHeads = length("ssm.group_count"),
                     .valueHeads = length("ssm.time_step_rank"),
                     .keyLength = state,
                     .valueLength = state};
    if (m_shape.delta.valueHeads % m_shape.delta.keyHeads != 0) {
        refuse("ssm.group_count");
    }
    if (length("ssm.inner_size") != m_shape.delta.values()) {
        refuse("ssm.inner_size");
    }
}

void ShapeReader::readKimiDelta() {
    const BlockValues heads = m_parameters.blockValues("attention.head_count");
    const std::uint32_t size = length("kda.head_dim");
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < m_shape.blocks.size(); ++i) {
        if (m_shape.blocks[i].recurrence != Recurrence::None) {
            const std::uint64_t ofBlock = heads.at(i).value_or(0);
            if (ofBlock == 0 || ofBlock > kLargestLength || (count != 0 && count != ofBlock)) {
                return refuse("attention.head_count");
            }
            count = ofBlock;
        }
    }
    if (count * size > kLargestLength) {
        return refuse("kda.head_dim");
    }
    m_shape.delta = {.convolution = length("ssm.conv_kernel"),
                     .keyHeads = static_cast<std::uint32_t>(count),
                     .valueHeads = static_cast<std::uint32_t>(count),
                     .keyLength = size,
                     .valueLength = size};
}

void ShapeReader::readRwkv() {
    RwkvShape& rwkv = m_shape.rwkv;
    rwkv.headSize = length("wkv.head_size");
    if (m_shape.architecture->family == Family::Rwkv6) {
        rwkv.timeMixExtra = length("time_mix_extra_dim");
        rwkv.timeDecayExtra = length("time_decay_extra_dim");
        rwkv.rescaleEvery = optional("rescale_every_n_layers", 0);
    } else {
        rwkv.decayRank = length("attention.decay_lora_rank");
        rwkv.rateRank = length("attention.iclr_lora_rank");
        rwkv.valueRank = length("attention.value_residual_mix_lora_rank");
        rwkv.gateRank = length("attention.gate_lora_rank");
    }
    if (!m_refusal && m_shape.embedding % rwkv.headSize != 0) {
        refuse("wkv.head_size");
    }
}

} // namespace gufo::inference
