/** Cuts a form into its parts as it arrives; what a part holds is handed on at once, so that a file is never held whole. */

/** The head of a part. */
export interface PartHead {
  name: string
  /** Undefined for a field. */
  filename: string | undefined
  type: string
}

export interface Taker {
  begin(head: PartHead): void
  take(bytes: Uint8Array): Promise<void>
  end(): void
}

/** The body is not what it should be. */
export class BrokenForm extends Error {}

const HEAD_MAX = 16_384
const CRLF = '\r\n'

export class FormCutter {
  #rest: Buffer = Buffer.from(CRLF)
  #place: 'between' | 'head' | 'part' | 'over' = 'between'
  readonly #delimiter: Buffer

  constructor(
    boundary: string,
    private readonly taker: Taker,
  ) {
    this.#delimiter = Buffer.from(`${CRLF}--${boundary}`, 'latin1')
  }

  /** @throws BrokenForm */
  async push(bytes: Uint8Array) {
    this.#rest = Buffer.concat([this.#rest, bytes])
    while (await this.#step());
  }

  /** @throws BrokenForm when something is missing */
  end() {
    if (this.#place !== 'over') throw new BrokenForm()
  }

  /** @returns whether there may be more to do with the bytes that are here */
  async #step(): Promise<boolean> {
    if (this.#place !== 'over') return this.#place === 'head' ? this.#readHead() : this.#readPart()
    this.#drop(this.#rest.length)
    return false
  }

  async #readPart(): Promise<boolean> {
    const at = this.#rest.indexOf(this.#delimiter)
    const inside = this.#place === 'part'
    // The beginning of a delimiter may be at the very end.
    const known = at < 0 ? Math.max(0, this.#rest.length - this.#delimiter.length) : at
    const after = at + this.#delimiter.length + CRLF.length
    if (inside && known) await this.taker.take(this.#rest.subarray(0, known))
    if (at < 0 || this.#rest.length < after) {
      this.#drop(at < 0 ? known : at)
      return false
    }
    if (inside) this.taker.end()
    const next = this.#rest.toString('latin1', after - CRLF.length, after)
    if (next !== CRLF && next !== '--') throw new BrokenForm()
    this.#place = next === '--' ? 'over' : 'head'
    this.#drop(after)
    return true
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf(CRLF + CRLF)
    if (end > HEAD_MAX || (end < 0 && this.#rest.length > HEAD_MAX)) throw new BrokenForm()
    if (end < 0) return false
    this.taker.begin(headIn(this.#rest.toString('utf8', 0, end)))
    this.#place = 'part'
    this.#drop(end + CRLF.length * 2)
    return true
  }

  #drop(count: number) {
    this.#rest = this.#rest.subarray(count)
  }
}

/** Patterns that look at each character once: a head that is nothing but blanks must not hold up everyone else. */
const disposition = /^content-disposition:[ \t]*form-data(?=[ \t]*;)(.*)$/im
const parameter = /[ \t]*;[ \t]*([\w*]+)=(?:"((?:\\.|[^"\\])*)"|([^\s;]+))/gy
const contentType = /^content-type:(.*)$/im

/** @throws BrokenForm for a part without a name, or with a head that can be read in two ways */
function headIn(text: string): PartHead {
  const found = new Map<string, string>()
  for (const [, key = '', quoted, plain] of (disposition.exec(text)?.[1] ?? '').matchAll(parameter)) {
    if (found.has(key.toLowerCase())) throw new BrokenForm()
    found.set(key.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? plain ?? '')
  }
  const name = found.get('name')
  if (!name || text.match(new RegExp(disposition, 'gim'))?.length !== 1) throw new BrokenForm()
  const filename = found.get('filename') ?? (found.has('filename*') ? 'file' : undefined)
  return { name, filename, type: contentType.exec(text)?.[1]?.trim() ?? '' }
}
