import { useEffect, useRef, useState } from "preact/hooks";
import { isForbidden, useAsked } from "../ask";
import { cursorOf, listAddress, receiptAddress, receiptOf } from "../erasures/address";
import { readReceipt, readReceipts } from "../erasures/answers";
import { page, type PageProps } from "../page";
import { EraseForm } from "../parts/erasures/erase_form";
import { OneReceipt } from "../parts/erasures/receipt";
import { NoErasures, ReceiptList } from "../parts/erasures/receipt_list";
import { DemoNotice } from "../parts/notice";
import { Status } from "../parts/status";
import { useScopes } from "../scopes";
import { viewStream, type LiveViews } from "../view_stream";

/** Seconds between two askings for what is still open, as long as the server is there. */
const pause = 2;

export default page({
  path: "/erasures", key: "e", title: "Erasures", start: { receipt: null, after: null }, View: Erasures,
  // It tells whether the server is there.
  streams: { views: { stream: viewStream, address: () => "/api/v1/live/views" } },
});

/** The right to be forgotten: who is erased, and what that still waits for. */
function Erasures({ live: { views: live }, hello, search, change }: PageProps<{ views: LiveViews }>) {
  const [made, setMade] = useState(0);
  const said = useRef<HTMLParagraphElement>(null);
  const scopes = useScopes();
  const news = `${made} ${live.link} ${Math.floor((live.history.end ?? 0) / pause)}`;
  const receipt = receiptOf(search);
  const cursor = cursorOf(search);
  const one = useAsked(receipt === null ? null : receiptAddress(receipt), readReceipt, news, 1000 * pause);
  const list = useAsked(listAddress(cursor), readReceipts, news, 1000 * pause);
  useEffect(() => { if (made > 0) said.current?.focus(); }, [made]);
  const done = (name: string) => {
    change({ receipt: name, after: null });
    setMade((before) => before + 1);
  };
  const mayErase = scopes === null || scopes.includes("people") || scopes.includes("admin");
  return (
    <main id="content" tabIndex={-1} class={live.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>Erasures</h1>
        <Status live={live} />
      </header>
      {hello?.mode === "demo" && <DemoNotice command={hello.serveCommand} />}
      {!mayErase && isForbidden(list.no) ? <NoErasures /> : (
        <>
          <p class="said" role="status" tabIndex={-1} ref={said}>{made > 0 && "Erased. The receipt says what it still waits for."}</p>
          {mayErase && <EraseForm done={done} />}
          {receipt !== null && (
            <OneReceipt receipt={receipt} asked={one.address === receiptAddress(receipt) ? one : { address: null, value: null, no: null }}
              leave={() => change({ receipt: null })} />
          )}
          <ReceiptList asked={list} later={cursor !== null} chosen={receipt} choose={(name) => change({ receipt: name })}
            turn={(next) => change({ after: next })} />
        </>
      )}
    </main>
  );
}
