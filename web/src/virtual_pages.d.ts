/** The pages of further folders, in the order in which FOOTFALL_PAGES names their files. */
declare module "virtual:pages" {
  const pages: readonly import("./page").Page[];
  export default pages;
}
