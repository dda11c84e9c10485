#include "dashboard/assets.h"
#include "server/run.h"

int main(int argc, char** argv) {
    return footfall::server::run(argc, argv, footfall::dashboard::assets());
}
