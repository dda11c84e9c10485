/**
 * Of the demo's ids those that a first look is for: a customer of whom all ids are known, two who are taken for one now and then, and a
 * kiosk that many share. src/cli/demo_customers_test.cpp has them, too.
 */
export const demoIds: readonly string[] = ["shop/customer/C-10003", "shop/customer/C-11980", "shop/customer/C-11981", "app/device/kiosk-lobby"];
