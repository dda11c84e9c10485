#include "audit_routes/tile_path.h"

#include <gtest/gtest.h>

namespace footfall::audit::routes {
namespace {

TEST(TilePath, is_read) {
    EXPECT_EQ(read_tile_path("0/000"), (TilePath{.level = 0, .tile = 0, .width = 256}));
    EXPECT_EQ(read_tile_path("0/x001/x234/067"), (TilePath{.level = 0, .tile = 1'234'067}));
    EXPECT_EQ(
        read_tile_path("3/x001/000.p/255"), (TilePath{.level = 3, .tile = 1000, .width = 255})
    );
    EXPECT_EQ(read_tile_path("entries/042.p/1"), (TilePath{.tile = 42, .width = 1}));
    EXPECT_EQ(read_tile_path("63/000")->level, 63U);
}

TEST(TilePath, is_written_in_one_way) {
    for (const char* const bad :
         {"",
          "/",
          "0",
          "0/",
          "0/0",
          "0/0000",
          "0/x001",
          "0/x001/",
          "0/x000/001",
          "0/001/002",
          "0/000/",
          "00/000",
          "-1/000",
          "64/000",
          "a/000",
          "0/abc",
          "0/000.p/",
          "0/000.p/0",
          "0/000.p/256",
          "0/000.p/01",
          "0/000.p/1/",
          "0/000.p/1.p/1",
          "entries",
          "entries/",
          "Entries/000",
          "0/x001/x002/x003/x004/x005/x006/007"}) {
        EXPECT_FALSE(read_tile_path(bad)) << bad;
    }
}

}  // namespace
}  // namespace footfall::audit::routes
