# The Debian package: what is in it. `./package` makes it; packaging/README.md says what each file is for.
set(CMAKE_INSTALL_PREFIX /usr)

# unit(FILE DESCRIPTION of the unit, NAME of its configuration, STATE below /var/lib, a line of ENVIRONMENT or "")
function(unit file description name state environment)
    set(FOOTFALL_UNIT_DESCRIPTION "${description}")
    set(FOOTFALL_UNIT_NAME "${name}")
    set(FOOTFALL_UNIT_STATE "${state}")
    set(FOOTFALL_UNIT_ENVIRONMENT "${environment}")
    configure_file("${PROJECT_SOURCE_DIR}/packaging/footfall.service.in" "${PROJECT_BINARY_DIR}/packaging/${file}" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/packaging/${file}" DESTINATION lib/systemd/system)
endfunction()
unit(footfall.service "Footfall, counts who did what to which object" footfall footfall "")
unit(footfall@.service "Footfall, process %i of a cluster" %i footfall/%i
    "# Its name in the cluster, the same after a restart: so one configuration can be on all machines.\nEnvironment=FOOTFALL_INSTANCE=%l-%i")

# zip(from to): compressed as Debian wants documents, without name and time.
function(zip from to)
    execute_process(COMMAND gzip -9n INPUT_FILE "${from}" OUTPUT_FILE "${to}" COMMAND_ERROR_IS_FATAL ANY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${from}")
endfunction()
set(documents "${PROJECT_BINARY_DIR}/packaging")
zip("${PROJECT_SOURCE_DIR}/docs/operations.md" "${documents}/operations.md.gz")
zip("${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${documents}/changelog.gz")

install(TARGETS footfall RUNTIME DESTINATION bin)
install(FILES packaging/sysusers.conf DESTINATION lib/sysusers.d RENAME footfall.conf)
install(FILES packaging/footfall.toml DESTINATION /etc/footfall)
install(FILES packaging/debian/copyright "${documents}/operations.md.gz" "${documents}/changelog.gz" DESTINATION share/doc/footfall)

set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "Footfall's maintainers <maintainers@footfall.invalid>")
set(CPACK_SET_DESTDIR ON) # for /etc
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Smallest first, for images: where systemd is, it does.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "systemd-standalone-sysusers | systemd, tzdata")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
file(WRITE "${documents}/conffiles" "/etc/footfall/footfall.toml\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${documents}/conffiles"
    "${PROJECT_SOURCE_DIR}/packaging/debian/postinst"
    "${PROJECT_SOURCE_DIR}/packaging/debian/prerm"
    "${PROJECT_SOURCE_DIR}/packaging/debian/postrm")
include(CPack)
