#include "backup/open_depot.h"

#include "backup/directory_depot.h"
#include "backup/s3_depot.h"
#include "backup/sealed_depot.h"

#include <utility>

namespace footfall::backup {

Result<std::unique_ptr<Depot>> open_depot(const Address& address, std::stop_token stop) {
    std::unique_ptr<Depot> depot;
    if (address.place.starts_with("s3:")) {
        TRY(S3Address s3, read_s3_address(address.place));
        depot = std::make_unique<S3Depot>(std::move(s3), std::move(stop));
    } else {
        depot = std::make_unique<DirectoryDepot>(address.place);
    }
    if (!address.key_file.empty()) {
        TRY(const SealingKey key, read_sealing_key(address.key_file));
        depot = std::make_unique<SealedDepot>(std::move(depot), key);
    }
    return depot;
}

}  // namespace footfall::backup
