#include "identities/resolution.h"

namespace footfall::identities {

std::string_view name_of(Objection objection) {
    switch (objection) {
        case Objection::per_profile:
            return "per_profile";
        case Objection::profile_ids:
            return "profile_ids";
        case Objection::shared:
            return "shared";
        case Objection::parting:
            return "parting";
    }
    return "";
}

}  // namespace footfall::identities
