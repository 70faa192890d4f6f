#include "formats/pytorch/globals.h"

#include <algorithm>
#include <array>
#include <string>

namespace gufo::pytorch {
namespace {

using pickle::Node;

struct Row {
    std::string_view name;    // PyTorch's
    std::string_view storage; // the class of storages, if it has one
    std::string_view row;     // name in the table of tensor types
};
constexpr auto kTypes = std::to_array<Row>({
    {"float32", "FloatStorage", "F32"},
    {"float64", "DoubleStorage", "F64"},
    {"float16", "HalfStorage", "F16"},
    {"bfloat16", "BFloat16Storage", "BF16"},
    {"int64", "LongStorage", "I64"},
    {"int32", "IntStorage", "I32"},
    {"int16", "ShortStorage", "I16"},
    {"int8", "CharStorage", "I8"},
    {"uint8", "ByteStorage", "U8"},
    {"bool", "BoolStorage", "BOOL"},
    {"complex64", "ComplexFloatStorage", "C64"},
    {"complex128", "ComplexDoubleStorage", "C128"},
    {"uint16", "", "U16"},
    {"uint32", "", "U32"},
    {"uint64", "", "U64"},
    {"float8_e4m3fn", "", "F8_E4M3"},
    {"float8_e5m2", "", "F8_E5M2"},
    {"float8_e4m3fnuz", "", "F8_E4M3FNUZ"},
    {"float8_e5m2fnuz", "", "F8_E5M2FNUZ"},
    {"float8_e8m0fnu", "", "F8_E8M0"},
});

bool isTorch(std::string_view module) {
    return module == "torch" || module == "torch.cuda" || module == "torch.storage";
}

// Modules whose functions run commands or programs, open files or connections, or load code.
constexpr auto kDangerousModules = std::to_array<std::string_view>(
    {"os",         "posix",        "nt",         "posixpath",  "ntpath",      "subprocess",
     "_winapi",    "sys",          "shutil",     "socket",     "_socket",     "runpy",
     "imp",        "importlib",    "ctypes",     "_ctypes",    "cffi",        "pty",
     "pdb",        "bdb",          "code",       "codeop",     "commands",    "popen2",
     "pickle",     "_pickle",      "cPickle",    "dill",       "cloudpickle", "multiprocessing",
     "concurrent", "threading",    "_thread",    "asyncio",    "timeit",      "trace",
     "profile",    "cProfile",     "webbrowser", "urllib",     "urllib2",     "http",
     "httplib",    "ftplib",       "imaplib",    "poplib",     "nntplib",     "telnetlib",
     "xmlrpc",     "socketserver", "requests",   "smtplib",    "pip",         "ensurepip",
     "venv",       "io",           "_io",        "tempfile",   "fileinput",   "sqlite3",
     "marshal",    "operator",     "_operator",  "functools",  "_functools",  "pydoc",
     "zipimport",  "pkgutil",      "distutils",  "setuptools", "atexit",      "site",
     "aiohttp",    "doctest",      "idlelib",    "lib2to3",    "cgitb",       "ssl",
     "joblib"});
constexpr auto kDangerousBuiltins = std::to_array<std::string_view>(
    {"eval",    "exec",    "execfile", "compile", "open",      "file",       "__import__",
     "getattr", "setattr", "delattr",  "input",   "raw_input", "breakpoint", "globals",
     "locals",  "vars",    "apply",    "reload",  "exit",      "quit",       "help"});
// The same of packages that are not dangerous as a whole. A name stands for all that begins with it and a dot.
constexpr auto kDangerousNames = std::to_array<std::string_view>({"_posixsubprocess",
                                                                  "torch.load",
                                                                  "torch.hub",
                                                                  "torch.jit.load",
                                                                  "torch.jit.unsupported_tensor_ops",
                                                                  "torch.serialization.load",
                                                                  "torch.storage._load_from_bytes",
                                                                  "torch.package",
                                                                  "torch.multiprocessing",
                                                                  "torch._inductor",
                                                                  "torch._dynamo",
                                                                  "torch.fx.experimental",
                                                                  "torch.utils.cpp_extension",
                                                                  "torch.utils.bottleneck",
                                                                  "torch.utils.collect_env",
                                                                  "torch.utils._config_module",
                                                                  "torch.utils.data.datapipes.utils.decoder",
                                                                  "numpy.load",
                                                                  "numpy.loads",
                                                                  "numpy.testing",
                                                                  "numpy.f2py",
                                                                  "numpy.distutils",
                                                                  "pandas.read_pickle",
                                                                  "logging.config",
                                                                  "platform.popen",
                                                                  "types.CodeType",
                                                                  "types.FunctionType",
                                                                  "test.support",
                                                                  "uuid._popen",
                                                                  "uuid._get_command_stdout"});

const Row* typeRow(const Node& global) {
    const auto row = std::ranges::find_if(kTypes, [&](const Row& candidate) {
        return (global.text == "torch" && candidate.name == global.name) ||
               (isTorch(global.text) && !candidate.storage.empty() && candidate.storage == global.name);
    });
    return row != kTypes.end() ? row : nullptr;
}

bool isDangerous(const Node& global) {
    // A name may have dots since protocol 4: "torch", "os.system" would be torch.os.system.
    const auto parts = [](std::string_view text, auto matches) {
        while (!text.empty()) {
            const std::size_t dot = std::min(text.find('.'), text.size());
            if (matches(text.substr(0, dot))) {
                return true;
            }
            text.remove_prefix(std::min(dot + 1, text.size()));
        }
        return false;
    };
    const auto isIn = [](const auto& names) {
        return [&names](std::string_view part) { return std::ranges::find(names, part) != names.end(); };
    };
    const std::string_view package = global.text.substr(0, global.text.find('.'));
    const bool builtins = package == "builtins" || package == "__builtin__" || package == "__builtins__";
    const std::string whole = std::string(global.text) + '.' + std::string(global.name) + '.';
    const bool isNamed = std::ranges::any_of(
        kDangerousNames, [&](std::string_view name) { return whole.starts_with(name) && whole[name.size()] == '.'; });
    return isNamed || isIn(kDangerousModules)(package) || (builtins && parts(global.name, isIn(kDangerousBuiltins))) ||
           (global.name.contains('.') &&
            (parts(global.name, isIn(kDangerousModules)) || parts(global.name, isIn(kDangerousBuiltins))));
}

} // namespace

bool isOrderedDict(const Node& global) { return global.text == "collections" && global.name == "OrderedDict"; }

bool rebuildsTensor(const Node& global) {
    constexpr auto kNames =
        std::to_array<std::string_view>({"_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_tensor_v3"});
    return global.text == "torch._utils" && std::ranges::find(kNames, global.name) != kNames.end();
}

// The class of a tensor, which the oldest checkpoints name: "torch.Tensor", "torch.FloatTensor".
bool isTensorClass(const Node& global) {
    constexpr std::string_view kTensor = "Tensor";
    if ((global.text != "torch" && global.text != "torch.cuda") || !global.name.ends_with(kTensor)) {
        return false;
    }
    const std::string_view type = global.name.substr(0, global.name.size() - kTensor.size());
    return type.empty() || std::ranges::any_of(kTypes, [&](const Row& row) {
               return !row.storage.empty() && row.storage.substr(0, row.storage.find("Storage")) == type;
           });
}

bool rebuildsParameter(const Node& global) {
    return global.text == "torch._utils" && global.name == "_rebuild_parameter";
}

bool isUntypedStorage(const Node& global) {
    return (global.text == "torch" || global.text == "torch.storage") && global.name == "UntypedStorage";
}

DataType dataTypeOf(const Node& global) {
    const Row* row = typeRow(global);
    if (row == nullptr) {
        return {};
    }
    const auto types = tensorTypes();
    const auto info = std::ranges::find(types, row->row, &TensorTypeFact::name);
    return {.name = row->name, .info = info != types.end() ? &*info : nullptr};
}

Verdict verdictOf(const Node& global) {
    if (isOrderedDict(global) || rebuildsTensor(global) || rebuildsParameter(global) || isUntypedStorage(global) ||
        isTensorClass(global) || typeRow(global) != nullptr) {
        return Verdict::Allowed;
    }
    return isDangerous(global) ? Verdict::Dangerous : Verdict::Unknown;
}

void GlobalList::add(const Node& global) {
    if (m_seen.emplace(global.text, global.name).second) {
        m_all.push_back(global);
    }
}

bool GlobalList::hasDangerous() const {
    return std::ranges::any_of(m_all, [](const Node& global) { return verdictOf(global) == Verdict::Dangerous; });
}

Result<pickle::Pickle> readPickle(Bytes bytes, std::uint64_t start, const JobContext& job, GlobalList& globals) {
    std::vector<Node> named;
    auto pickle = pickle::read(bytes, start, job, &named);
    std::ranges::for_each(named, [&](const Node& global) { globals.add(global); });
    return pickle;
}

} // namespace gufo::pytorch
