#include "events/read_by.h"

namespace footfall::events {

void strip(Event& event) {
    for (std::string* const each :
         {&event.id, &event.actor, &event.address, &event.agent, &event.referrer, &event.attributes
         }) {
        each->clear();
    }
    event.identifiers.clear();
}

}  // namespace footfall::events
