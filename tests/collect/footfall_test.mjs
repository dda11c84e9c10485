// The collection script in a page that is made of nothing but what it may use: whatever else it
// touches, a cookie or the browser's storage, is not there and throws.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import vm from 'node:vm'

const source = readFileSync(new URL('../../src/api/collect/footfall.js', import.meta.url), 'utf8')

class Target {
  listeners = []
  addEventListener(type, take, options) {
    this.listeners.push({ type, take, once: options?.once })
  }
  fire(type, event = {}) {
    for (const each of this.listeners.filter((listener) => listener.type === type)) {
      if (each.once) this.listeners.splice(this.listeners.indexOf(each), 1)
      each.take(event)
    }
  }
}

function open({ path = '/post', referrer = '', data = {}, prerendering = false, visibilityState = 'visible', beacon = true } = {}) {
  const page = new Target()
  const document = Object.assign(new Target(), {
    currentScript: { src: 'https://count.example/in/footfall.js', dataset: data },
    referrer, prerendering, visibilityState,
  })
  const location = new URL('https://site.example' + path)
  const go = (state, title, to) => { location.href = new URL(to, location).href }
  const history = { pushState: go, replaceState: go }
  const sent = []
  const take = (how) => (url, body) => {
    const text = typeof body === 'string' ? body : body.body
    assert.equal(typeof text, 'string') // or the browser asks for permission first
    sent.push({ how, url, ...Object.fromEntries(new URLSearchParams(text)) })
    return how === 'beacon' ? beacon : Promise.resolve()
  }
  const globals = {
    URL, encodeURIComponent, document, location, history,
    navigator: { sendBeacon: take('beacon') },
    fetch: take('fetch'),
    addEventListener: (...all) => page.addEventListener(...all),
  }
  vm.runInNewContext(source, globals)
  return { page, document, history, location, sent }
}

const objects = ({ sent }) => sent.map((each) => each.object)

test('a page that is loaded is one view of its path', () => {
  const { sent } = open({ path: '/café a?q=1#x', referrer: 'https://a.example/?b=c&d' })
  assert.deepEqual(sent, [{
    how: 'beacon', url: 'https://count.example/in/footfall', object: '/caf%C3%A9%20a', action: 'view',
    referrer: 'https://a.example/?b=c&d',
  }])
})

test('what is counted can be said in the page', () => {
  const opened = open({ data: { object: 'post 1&2', action: 'read' } })
  assert.equal(opened.sent[0].object, 'post 1&2')
  assert.equal(opened.sent[0].action, 'read')
  opened.history.pushState(null, '', '/elsewhere')
  assert.equal(opened.sent.length, 1)
})

test('a page that is prepared counts once it is shown', () => {
  const opened = open({ prerendering: true, visibilityState: 'hidden' })
  assert.deepEqual(opened.sent, [])
  opened.document.prerendering = false
  opened.document.fire('prerenderingchange')
  assert.deepEqual(opened.sent, [])
  opened.document.visibilityState = 'visible'
  opened.document.fire('visibilitychange')
  opened.document.fire('visibilitychange')
  assert.deepEqual(objects(opened), ['/post'])
})

test('a page that replaces itself is a view of each path, with the page before', () => {
  const opened = open()
  opened.history.pushState(null, '', '/next')
  opened.history.replaceState(null, '', '/next?tab=2')
  opened.history.pushState(null, '', '/next?tab=2')
  opened.location.href = 'https://site.example/post'
  opened.page.fire('popstate')
  assert.deepEqual(objects(opened), ['/post', '/next', '/post'])
  assert.equal(opened.sent[1].referrer, 'https://site.example/post')
  assert.equal(opened.sent[2].referrer, 'https://site.example/next?tab=2')
})

test('a page that comes back from the browser is seen again', () => {
  const opened = open()
  opened.page.fire('pageshow', { persisted: false })
  assert.equal(opened.sent.length, 1)
  opened.page.fire('pageshow', { persisted: true })
  assert.equal(opened.sent.length, 2)
})

test('where no beacon is taken, a request is sent that outlives the page', () => {
  const { sent } = open({ beacon: false })
  assert.deepEqual(sent.map((each) => each.how), ['beacon', 'fetch'])
  assert.equal(sent[1].object, '/post')
})
