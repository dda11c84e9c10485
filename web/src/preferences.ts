// Small choices the browser remembers for the reader. Without storage (a private window) they last as long as the page.

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`footfall.${name}`);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`footfall.${name}`);
    else localStorage.setItem(`footfall.${name}`, value);
  } catch {
    // Nothing to do: the choice holds until the page is left.
  }
}
