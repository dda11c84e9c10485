#pragma once

#include <string>

namespace footfall::test_support {

/// The topics of one deployment under test, which go with it.
class TestTopics {
public:
    explicit TestTopics(std::string brokers);
    TestTopics(const TestTopics&) = delete;
    TestTopics& operator=(const TestTopics&) = delete;
    ~TestTopics();

    /// What their names begin with.
    const std::string& prefix() const { return prefix_; }

private:
    std::string brokers_;
    std::string prefix_;
};

}  // namespace footfall::test_support
