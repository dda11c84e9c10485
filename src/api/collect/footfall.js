// Footfall: tells a Footfall server that this page was seen. Nothing is stored in the browser, and
// only the page's path and the page before are sent. <script src=".../footfall.js" defer></script>
// data-object: what was seen, unless it is the path. data-action: "view", unless said.
(function () {
  var script = document.currentScript
  var target = new URL('footfall', script.src).href
  var before = document.referrer
  var page = location.href
  var seen

  function send() {
    var object = script.dataset.object || location.pathname
    if (object === seen) return
    seen = object
    var body = 'object=' + encodeURIComponent(object) +
      '&action=' + encodeURIComponent(script.dataset.action || 'view') +
      '&referrer=' + encodeURIComponent(before)
    // Text needs no permission asked for beforehand, also of another site.
    if (!navigator.sendBeacon || !navigator.sendBeacon(target, body)) {
      fetch(target, { method: 'POST', body: body, mode: 'no-cors', keepalive: true }).catch(function () {})
    }
  }

  // A page that is prepared, or opened behind others, counts once somebody sees it.
  function whenShown() {
    if (document.prerendering) {
      document.addEventListener('prerenderingchange', whenShown, { once: true })
    } else if (document.visibilityState === 'hidden') {
      document.addEventListener('visibilitychange', whenShown, { once: true })
    } else send()
  }

  // Pages that replace themselves without loading.
  function moved() {
    if (location.href === page) return
    before = page
    page = location.href
    whenShown()
  }
  ['pushState', 'replaceState'].forEach(function (name) {
    var original = history[name]
    history[name] = function () {
      original.apply(this, arguments)
      moved()
    }
  })
  addEventListener('popstate', moved)
  addEventListener('pageshow', function (event) {
    if (event.persisted) {
      seen = undefined
      whenShown()
    }
  })
  whenShown()
})()
