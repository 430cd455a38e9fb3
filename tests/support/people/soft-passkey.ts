/** A passkey in software, which creates itself and signs as a browser's does. https://www.w3.org/TR/webauthn-3/ (read 2026-11) */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40]
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url')

export class SoftPasskey {
  readonly #id = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #uses = 0

  /** @param site as the browser sees it: `https://gate.example` */
  constructor(private readonly site: string) {}

  /** What a site has stored of it, in base64. */
  get stored() {
    return { credential_id: this.#id.toString('base64'), public_key: this.#coseKey().toString('base64') }
  }

  /** Answers `navigator.credentials.create`. */
  create(challenge: string) {
    const length = Buffer.from([0, this.#id.length])
    const attested = Buffer.concat([Buffer.alloc(16), length, this.#id, this.#coseKey()])
    const data = Buffer.concat([this.#authData(PRESENT | VERIFIED | ATTESTED), attested])
    // CBOR: { fmt: 'none', attStmt: {}, authData: bytes }
    const head = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0, 0x68]),
      Buffer.from('authData'),
      Buffer.from([0x58, data.length]),
    ])
    const attestationObject = base64url(Buffer.concat([head, data]))
    const clientDataJSON = base64url(this.#clientData('webauthn.create', challenge))
    return this.#credential({ clientDataJSON, attestationObject, transports: ['internal'] })
  }

  /** Answers `navigator.credentials.get`. @param site another port of the host */
  get(challenge: string, site = this.site) {
    const data = this.#authData(PRESENT | VERIFIED)
    const client = this.#clientData('webauthn.get', challenge, site)
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey)
    return this.#credential({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    })
  }

  #credential(response: object) {
    const id = base64url(this.#id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #authData(flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++this.#uses)
    return Buffer.concat([sha256(new URL(this.site).hostname), Buffer.from([flags]), counter])
  }

  #clientData = (type: string, challenge: string, site = this.site) =>
    JSON.stringify({ type, challenge, origin: site, crossOrigin: false })

  /** CBOR: { 1: 2, 3: -7, -1: 1, -2: x, -3: y } */
  #coseKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const [head, next] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')]
    return Buffer.concat([head, Buffer.from(x!, 'base64url'), next, Buffer.from(y!, 'base64url')])
  }
}
