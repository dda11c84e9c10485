#include "foundation_testing/repository.h"

namespace footfall {

std::string in_repository(std::string_view path) {
    return std::string{FOOTFALL_SOURCE_DIR "/"}.append(path);
}

}  // namespace footfall
