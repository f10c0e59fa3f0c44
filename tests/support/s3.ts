import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Config } from '#server/platform/config/storage.ts'

export interface TestS3 {
  settings: S3Config
  /** The settings of the site for backups in its bucket. */
  environment: Record<string, string>
  keys(): string[]
  objects: Map<string, StoredObject>
  /** Number of multipart uploads that are neither complete nor aborted. */
  openUploads(): number
  /** Answers requests with status 500 for which the function is true. */
  failOn(test: (request: { method: string; key: string }) => boolean): void
  close(): Promise<void>
}

interface StoredObject {
  bytes: Buffer
  changedAt: Date
}

const REGION = 'eu-central-1'
const BUCKET = 'images'

/** Starts an S3 server in this process with one empty bucket. Checks signatures like S3 itself. */
export async function startS3(): Promise<TestS3> {
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, Map<number, Buffer>>()
  let failing = (_request: { method: string; key: string }) => false
  const access = { accessKeyId: 'TESTKEY', secretAccessKey: 'test-secret', region: REGION }
  const server = createServer((request, response) => void handle(request, response))
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const body = await buffer(request)
    const [, bucket = '', ...rest] = url.pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    if (failing({ method: request.method ?? '', key })) sendError(response, 500, 'InternalError')
    else if (!isSigned(request, url, access)) sendError(response, 403, 'SignatureDoesNotMatch')
    else if (bucket !== BUCKET) sendError(response, 404, 'NoSuchBucket')
    else if (key === '') sendList(response, objects, url.searchParams)
    else if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      sendPart(request, response, { objects, uploads, key, body, query: url.searchParams })
    else sendObject(request, response, objects, { key, body })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  return {
    settings: { endpoint, bucket: BUCKET, ...access },
    environment: {
      BACKUP_S3_ENDPOINT: endpoint,
      BACKUP_S3_REGION: access.region,
      BACKUP_S3_ACCESS_KEY_ID: access.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: access.secretAccessKey,
    },
    keys: () => [...objects.keys()],
    objects,
    openUploads: () => uploads.size,
    failOn: (test) => {
      failing = test
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

function sendObject(
  { method, headers: { range } }: IncomingMessage,
  response: ServerResponse,
  objects: Map<string, StoredObject>,
  { key, body }: { key: string; body: Buffer },
): void {
  const object = objects.get(key)
  if (method === 'PUT') {
    objects.set(key, { bytes: body, changedAt: new Date() })
    response.writeHead(200, { etag: etagOf(body) }).end()
  } else if (method === 'DELETE') {
    objects.delete(key)
    response.writeHead(204).end()
  } else if (!object) {
    sendError(response, 404, 'NoSuchKey')
  } else {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    const bytes = object.bytes.subarray(Number(start ?? 0), Number(end ?? object.bytes.length) + 1)
    const headers = { etag: etagOf(object.bytes), 'content-length': bytes.length }
    response.writeHead(start === undefined ? 200 : 206, headers).end(method === 'HEAD' ? undefined : bytes)
  }
}

interface PartRequest {
  objects: Map<string, StoredObject>
  /** Parts by number, by id of the upload. */
  uploads: Map<string, Map<number, Buffer>>
  key: string
  body: Buffer
  query: URLSearchParams
}

/** Multipart uploads: the object appears when they are complete. */
function sendPart({ method }: IncomingMessage, response: ServerResponse, request: PartRequest): void {
  const { objects, uploads, key, body, query } = request
  const id = query.get('uploadId') ?? randomUUID()
  const parts = uploads.get(id)
  if (query.has('uploads')) {
    uploads.set(id, new Map())
    sendXml(response, 200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  } else if (!parts) {
    sendError(response, 404, 'NoSuchUpload')
  } else if (method === 'PUT') {
    parts.set(Number(query.get('partNumber')), body)
    response.writeHead(200, { etag: etagOf(body) }).end()
  } else {
    uploads.delete(id)
    if (method === 'DELETE') return void response.writeHead(204).end()
    const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)/g)].map(([, number]) => Number(number))
    const bytes = Buffer.concat(numbers.map((number) => parts.get(number) ?? Buffer.from('')))
    objects.set(key, { bytes, changedAt: new Date() })
    sendXml(
      response,
      200,
      `<CompleteMultipartUploadResult><ETag>${etagOf(bytes)}</ETag></CompleteMultipartUploadResult>`,
    )
  }
}

/** ListObjectsV2. The continuation token is the last key of the page before. */
function sendList(response: ServerResponse, objects: Map<string, StoredObject>, query: URLSearchParams): void {
  const prefix = query.get('prefix') ?? ''
  const after = query.get('continuation-token') ?? ''
  const pageSize = Number(query.get('max-keys') ?? 1000)
  const found = [...objects.entries()]
    .filter(([key]) => key.startsWith(prefix) && key > after)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const page = found.slice(0, pageSize)
  const contents = page.map(
    ([key, { bytes, changedAt }]) =>
      `<Contents><Key>${key}</Key><LastModified>${changedAt.toISOString()}</LastModified>` +
      `<ETag>${etagOf(bytes)}</ETag><Size>${bytes.length}</Size></Contents>`,
  )
  const isTruncated = found.length > page.length
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : ''
  sendXml(
    response,
    200,
    `<ListBucketResult><Name>${BUCKET}</Name><Prefix>${prefix}</Prefix><KeyCount>${page.length}</KeyCount>` +
      `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  )
}

const sendError = (response: ServerResponse, status: number, code: string) =>
  sendXml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`)
}

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** Verifies AWS Signature Version 4 (docs.aws.amazon.com, "Authenticating Requests: Using the Authorization Header"). */
function isSigned(
  { method, headers }: IncomingMessage,
  url: URL,
  access: Pick<S3Config, 'accessKeyId' | 'secretAccessKey' | 'region'>,
): boolean {
  const parsed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      headers.authorization ?? '',
    )
  if (!parsed) return false
  const [, accessKeyId, day = '', region = '', signedHeaders = '', signature = ''] = parsed
  if (accessKeyId !== access.accessKeyId || region !== access.region) return false
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const canonicalHeaders = signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const request = [method, url.pathname, query, canonicalHeaders.join(''), signedHeaders]
  const canonicalRequest = [...request, headers['x-amz-content-sha256']].join('\n')
  const hash = createHash('sha256').update(canonicalRequest).digest('hex')
  const scope = `${day}/${region}/s3/aws4_request`
  const stringToSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n')
  const dateKey = hmac(`AWS4${access.secretAccessKey}`, day)
  const signingKey = hmac(hmac(hmac(dateKey, region), 's3'), 'aws4_request')
  return timingSafeEqual(hmac(signingKey, stringToSign), Buffer.from(signature, 'hex'))
}
