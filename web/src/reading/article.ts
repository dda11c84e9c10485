// How an article's address is shown: what tells it from others below, the way to it above.

export interface Shown {
  /** The site and what leads to the article there; empty: nothing does. */
  way: string;
  /** The last part of its path, with what is asked of it, in letters rather than in percents. */
  title: string;
  /** Where a browser finds it; null: nowhere. */
  link: string | null;
}

const address = /^https:\/\/([^/?#]+)([^?#]*)([^]*)$/;

export function shown(url: string): Shown {
  const found = address.exec(url);
  if (found === null) return { way: "", title: url, link: null };
  const [, site = "", path = "", rest = ""] = found;
  // A path may end in a slash, which is no part of its own.
  const at = path.lastIndexOf("/", path.length - 2);
  const last = path.slice(at + 1) + rest;
  if (last === "" || last === "/") return { way: "", title: site, link: url };
  return { way: readable(site + path.slice(0, Math.max(0, at))), title: readable(last), link: url };
}

export function siteOf(url: string): string | null {
  return address.exec(url)?.[1] ?? null;
}

function readable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The first names, and how many are left out: one name less is never worth a click. */
export function someNames(names: readonly string[], count: number, most = 3): { names: readonly string[]; left: number } {
  if (count <= most + 1 && names.length === count) return { names, left: 0 };
  const some = names.slice(0, most);
  return { names: some, left: count - some.length };
}
