#include "storage_testing/written_twice.h"

#include "foundation/check.h"
#include "storage_testing/faulty_store.h"

#include <utility>

namespace footfall::storage {
namespace {

class TwiceSubject final : public ContractSubject {
public:
    explicit TwiceSubject(std::unique_ptr<ContractSubject> inner) : inner_{std::move(inner)} {
        open();
    }

    Store& store() override { return *store_; }

    bool reopen() override {
        // The store above may only go when the one below owes it nothing.
        Batch batch;
        batch.upsert(settings, {std::int64_t{-1}, "all before is durable"});
        batch.erase(settings, {std::int64_t{-1}});
        const Result<void> settled = write_durably(inner_->store(), batch);
        CHECK(settled, "the store below", settled ? "" : settled.error().message);
        store_.reset();
        const bool again = inner_->reopen();
        open();
        return again;
    }

    bool reclaim() override { return inner_->reclaim(); }

private:
    void open() {
        store_ = std::make_unique<FaultyStore>(
            inner_->store(), ++opened_, FaultOptions{.duplicate_write = 0.5}
        );
    }

    std::unique_ptr<ContractSubject> inner_;
    std::uint64_t opened_ = 0;
    std::unique_ptr<FaultyStore> store_;
};

}  // namespace

std::unique_ptr<ContractSubject> written_twice(std::unique_ptr<ContractSubject> inner) {
    return std::make_unique<TwiceSubject>(std::move(inner));
}

}  // namespace footfall::storage
