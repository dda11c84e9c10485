import { shown } from "../../reading/article";

/** An article by its address; it leads there, in a tab of its own. What is cut of it stands there on focus. */
export function Article({ url }: { url: string }) {
  const { way, title, link } = shown(url);
  const text = (
    <>
      {way !== "" && <span class="faint way">{way}</span>}
      <span class="article-title">{title}</span>
    </>
  );
  if (link === null) return <span class="article" title={url}>{text}</span>;
  return <a class="article" href={link} target="_blank" rel="noreferrer" title={url}>{text}</a>;
}
