#include "tokens/object_entry.h"

#include "tokens/memory_cost.h"

#include <cstring>
#include <new>

namespace footfall::tokens {

void ObjectEntry::Destroy::operator()(ObjectEntry* entry) const {
    entry->~ObjectEntry();
    ::operator delete(entry);
}

ObjectEntry::Owner ObjectEntry::make(std::uint16_t counter, std::string_view name) {
    void* space = ::operator new(sizeof(ObjectEntry) + name.size());
    return Owner{new (space) ObjectEntry{counter, name}};
}

ObjectEntry::ObjectEntry(std::uint16_t counter, std::string_view name)
    : counter_{counter}, name_bytes_{static_cast<std::uint16_t>(name.size())} {
    std::memcpy(reinterpret_cast<char*>(this + 1), name.data(), name.size());
}

std::size_t ObjectEntry::bytes() const {
    return allocated_bytes(sizeof(ObjectEntry) + name_bytes_) + object.bytes();
}

}  // namespace footfall::tokens
