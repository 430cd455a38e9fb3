/**
 * A bucket of S3: objects written whole or in parts, read by range, deleted. Parts make an object once the upload is
 * completed. https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 * Signatures are computed anew where the secret is given.
 */
import { createHmac } from 'node:crypto'

interface S3Bucket extends Disposable {
  url: string
  /** By path, with the bucket's name. */
  objects: Map<string, Uint8Array>
  /** Sizes of the parts of completed uploads, in bytes. */
  parts: number[][]
  /** What it does instead, until it is called without. */
  refuse(what?: BucketFault): void
}

/** An answer; `hang` for none; `gone` when nothing listens at its address. */
export type BucketFault = { status: number; code: string } | 'hang' | 'gone'

/** S3 lists a thousand: fewer, so that a small test turns pages. */
const LIST_MAX = 5
/** All parts but the last are as large. */
const PART_BYTES_MIN = 5 * 1024 * 1024

/** @param keyId other credentials are refused. @param secret other signatures are refused, too */
export function s3Bucket(keyId: string, secret?: string): S3Bucket {
  const objects = new Map<string, Uint8Array>()
  const uploads = new Map<string, Map<number, Uint8Array>>()
  const parts: number[][] = []
  let refused: BucketFault | undefined

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (!request.headers.get('authorization')?.startsWith(`AWS4-HMAC-SHA256 Credential=${keyId}/`))
      return failure(403, 'InvalidAccessKeyId')
    if (secret !== undefined && !isSigned(request, secret)) return failure(403, 'SignatureDoesNotMatch')
    if (refused === 'hang') return new Promise(() => {})
    if (refused && refused !== 'gone') return failure(refused.status, refused.code)
    if (request.method === 'GET' && searchParams.get('list-type') === '2')
      return listOf(objects, pathname, searchParams)
    if (request.method === 'POST' && searchParams.has('uploads')) return begin(pathname)
    const id = searchParams.get('uploadId')
    if (id !== null) return withUpload(request, pathname, id, Number(searchParams.get('partNumber')))
    if (request.method === 'PUT') {
      objects.set(pathname, await request.bytes())
      return new Response('', { headers: { etag: '"1"' } })
    }
    if (request.method === 'DELETE') {
      objects.delete(pathname)
      return new Response(null, { status: 204 })
    }
    return read(pathname, request.headers.get('range'))
  }

  function begin(pathname: string): Response {
    const id = `upload-${uploads.size}`
    uploads.set(id, new Map())
    return xml(
      `<InitiateMultipartUploadResult><Key>${pathname}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    )
  }

  async function withUpload(request: Request, pathname: string, id: string, part: number): Promise<Response> {
    const upload = uploads.get(id)
    if (!upload) return failure(404, 'NoSuchUpload')
    if (request.method === 'PUT') {
      upload.set(part, await request.bytes())
      return new Response('', { headers: { etag: `"${id}-${part}"` } })
    }
    uploads.delete(id)
    if (request.method === 'DELETE') return new Response(null, { status: 204 })
    const numbers = [...(await request.text()).matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, of]) => Number(of))
    const bodies = numbers.map(number => upload.get(number)!)
    if (bodies.slice(0, -1).some(body => body.length < PART_BYTES_MIN)) return failure(400, 'EntityTooSmall')
    objects.set(pathname, Buffer.concat(bodies))
    parts.push(bodies.map(body => body.length))
    return xml('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>')
  }

  function read(pathname: string, range: string | null): Response {
    const object = objects.get(pathname)
    if (!object) return failure(404, 'NoSuchKey')
    if (range === null) return new Response(object.slice())
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    const part = object.slice(Number(from), Number(to) + 1)
    return new Response(part, {
      status: 206,
      headers: { 'content-range': `bytes ${from}-${to}/${object.length}` },
    })
  }

  const serveAt = (port: number) => Bun.serve({ port, hostname: '127.0.0.1', idleTimeout: 0, fetch: answer })
  let server = serveAt(0)
  const { port, url } = server
  return {
    url: url.origin,
    objects,
    parts,
    refuse(what) {
      if (what === 'gone') void server.stop(true)
      else if (refused === 'gone') server = serveAt(port!)
      refused = what
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
}

/** @returns the names behind one, in their order */
function listOf(objects: Map<string, Uint8Array>, pathname: string, query: URLSearchParams): Response {
  const bucket = `${pathname.replace(/\/$/, '')}/`
  const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? '']
  const keys = [...objects.keys()]
    .map(path => decodeURIComponent(path))
    .filter(path => path.startsWith(bucket + prefix))
    .map(path => path.slice(bucket.length))
    .filter(key => key > after)
    .sort()
  const rows = keys.slice(0, LIST_MAX).map(key => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`)
  const isTruncated = keys.length > LIST_MAX
  return xml(
    `<ListBucketResult><Name>b</Name><KeyCount>${rows.length}</KeyCount><MaxKeys>${LIST_MAX}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>${rows.join('')}</ListBucketResult>`,
  )
}

const xml = (body: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, { headers: { 'content-type': 'application/xml' } })

const failure = (status: number, code: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html (read 2026-11) */
function isSigned(request: Request, secret: string): boolean {
  const url = new URL(request.url)
  const header = request.headers.get('authorization') ?? ''
  const [, scope = '', names = '', signature] =
    /Credential=[^/]+\/(\S+?), *SignedHeaders=([^,]+), *Signature=(\w+)/.exec(header) ?? []
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const signed = names.split(';').map(name => `${name}:${request.headers.get(name)?.trim()}\n`)
  const content = request.headers.get('x-amz-content-sha256')
  const canonical = [request.method, url.pathname, query.join('&'), signed.join(''), names, content].join('\n')
  const [day, region, service, end] = scope.split('/')
  const key = [day!, region!, service!, end!].reduce<Buffer | string>((key, part) => hmac(key, part), `AWS4${secret}`)
  const hash = new Bun.CryptoHasher('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', request.headers.get('x-amz-date'), scope, hash].join('\n')
  return hmac(key, text).toString('hex') === signature
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
