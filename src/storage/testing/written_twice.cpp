#include "storage_testing/written_twice.h"

#include "foundation/check.h"
#include "storage_testing/faulty_store.h"

#include <utility>

namespace footfall::storage {
namespace {

/// A key of `settings` that no test has: random rows take edges (0, -1, ...) or any of 2^64.
constexpr std::int64_t nobodys_key = 0x2f8b'61d0'9e3c'745a;

class TwiceSubject final : public ContractSubject {
public:
    explicit TwiceSubject(std::unique_ptr<ContractSubject> inner) : inner_{std::move(inner)} {
        open();
    }

    Store& store() override { return *store_; }

    bool reopen() override {
        // The store above may only go when the one below owes it nothing: when it has answered a
        // write that came last.
        Batch batch;
        batch.erase(settings, {nobodys_key});
        const Result<void> settled = write_durably(inner_->store(), batch);
        CHECK(settled, "the store below", settled ? "" : settled.error().message);
        store_.reset();
        const bool again = inner_->reopen();
        open();
        return again;
    }

    bool reclaim() override { return inner_->reclaim(); }

    std::optional<bool> keeps(std::string_view bytes) override { return inner_->keeps(bytes); }

    bool loses(std::string_view bytes) override { return inner_->loses(bytes); }

private:
    void open() {
        store_ = std::make_unique<FaultyStore>(
            inner_->store(), ++opened_, FaultOptions{.duplicate_write = 0.5}
        );
    }

    std::uint64_t opened_ = 0;
    /// Outlives the store below, which answers its last writes as it closes.
    std::unique_ptr<FaultyStore> store_;
    std::unique_ptr<ContractSubject> inner_;
};

}  // namespace

std::unique_ptr<ContractSubject> written_twice(std::unique_ptr<ContractSubject> inner) {
    return std::make_unique<TwiceSubject>(std::move(inner));
}

}  // namespace footfall::storage
