/**
 * A bucket of S3: objects written whole or in parts, read by range, deleted. Parts make an object once the upload is
 * completed. https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 */
interface S3Bucket extends Disposable {
  url: string
  /** By path, with the bucket's name. */
  objects: Map<string, Uint8Array>
  /** Sizes of the parts of completed uploads, in bytes. */
  parts: number[][]
}

/** All parts but the last are as large. */
const PART_BYTES_MIN = 5 * 1024 * 1024

/** @param keyId other credentials are refused */
export function s3Bucket(keyId: string): S3Bucket {
  const objects = new Map<string, Uint8Array>()
  const uploads = new Map<string, Map<number, Uint8Array>>()
  const parts: number[][] = []

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (!request.headers.get('authorization')?.startsWith(`AWS4-HMAC-SHA256 Credential=${keyId}/`))
      return failure(403, 'InvalidAccessKeyId')
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
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    const part = object.slice(Number(from), Number(to) + 1)
    return new Response(part, {
      status: 206,
      headers: { 'content-range': `bytes ${from}-${to}/${object.length}` },
    })
  }

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  return {
    url: server.url.origin,
    objects,
    parts,
    [Symbol.dispose]: () => void server.stop(true),
  }
}

const xml = (body: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, { headers: { 'content-type': 'application/xml' } })

const failure = (status: number, code: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })
