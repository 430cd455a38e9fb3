/** <tollgate-zoom>: enlarges the picture in it by buttons, wheel and keys, and moves it by drag and arrows. Unzoomed, arrows lead to the neighbours. */
const STEP = 1.5
const SCALE_MAX = 12
/** Pixels that an arrow moves the picture. */
const MOVE = 80

const keys: Record<string, 'in' | 'out' | 'fit'> = { '+': 'in', '=': 'in', '-': 'out', _: 'out', 0: 'fit' }
const moves: Record<string, [x: number, y: number]> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

class TollgateZoom extends HTMLElement {
  static observedAttributes = ['of']
  #scale = 1
  #x = 0
  #y = 0

  connectedCallback() {
    this.addEventListener('click', this.#press)
    this.addEventListener('wheel', this.#roll, { passive: false })
    this.addEventListener('pointerdown', this.#drag)
    this.addEventListener('dblclick', this.#toggle)
    document.addEventListener('keydown', this.#type)
  }

  /** Another picture is shown whole. */
  attributeChangedCallback(_: string, before: string | null) {
    if (before !== null) this.#zoom('fit')
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#type)
  }

  get #stage() {
    return this.querySelector<HTMLElement>('.viewer-stage')!
  }

  #press = ({ target }: Event) => {
    const zoom = (target as Element).closest<HTMLElement>('[data-zoom]')?.dataset.zoom
    if (zoom) this.#zoom(zoom as 'in' | 'out' | 'fit')
  }

  #type = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || (target as Element).closest('input, textarea, select, audio, video, pre'))
      return
    const zoom = keys[key]
    if (zoom) return this.#zoom(zoom)
    const move = moves[key]
    if (!move) return
    if (this.#scale > 1) {
      event.preventDefault()
      this.#moveBy(move[0] * MOVE, move[1] * MOVE)
    } else if (move[0]) {
      this.querySelector<HTMLElement>(`[data-step=${move[0] > 0 ? 'newer' : 'older'}]`)?.click()
    }
  }

  #roll = (event: WheelEvent) => {
    if (!this.#stage.contains(event.target as Node)) return
    event.preventDefault()
    this.#scaleTo(this.#scale * (event.deltaY < 0 ? 1.15 : 1 / 1.15))
  }

  #toggle = ({ target }: Event) => {
    if (this.#stage.contains(target as Node)) this.#zoom(this.#scale > 1 ? 'fit' : 'in')
  }

  #drag = ({ target, pointerId, clientX, clientY }: PointerEvent) => {
    const stage = this.#stage
    if (!stage.contains(target as Node) || this.#scale === 1) return
    let [x, y] = [clientX, clientY]
    const move = (event: PointerEvent) => {
      this.#moveBy(event.clientX - x, event.clientY - y)
      ;[x, y] = [event.clientX, event.clientY]
    }
    stage.setPointerCapture(pointerId)
    stage.addEventListener('pointermove', move)
    stage.addEventListener('lostpointercapture', () => stage.removeEventListener('pointermove', move), { once: true })
  }

  #zoom(zoom: 'in' | 'out' | 'fit') {
    this.#scaleTo(zoom === 'fit' ? 1 : this.#scale * (zoom === 'in' ? STEP : 1 / STEP))
  }

  #scaleTo(scale: number) {
    const next = Math.min(Math.max(scale, 1), SCALE_MAX)
    const ratio = next / this.#scale
    this.#scale = next
    ;[this.#x, this.#y] = next === 1 ? [0, 0] : [this.#x * ratio, this.#y * ratio]
    this.#show()
    const status = this.querySelector<HTMLElement>('[data-zoomed]')!
    status.textContent = status.dataset.zoomed!.replace('{n}', String(Math.round(next * 100)))
  }

  #moveBy(x: number, y: number) {
    const { clientWidth, clientHeight } = this.#stage
    const within = (value: number, size: number) => {
      const most = (size * (this.#scale - 1)) / 2
      return Math.min(Math.max(value, -most), most)
    }
    this.#x = within(this.#x + x, clientWidth)
    this.#y = within(this.#y + y, clientHeight)
    this.#show()
  }

  #show() {
    const stage = this.#stage
    stage.classList.toggle('zoomed', this.#scale > 1)
    stage.querySelector('img')!.style.transform = `translate(${this.#x}px, ${this.#y}px) scale(${this.#scale})`
  }
}

customElements.define('tollgate-zoom', TollgateZoom)
