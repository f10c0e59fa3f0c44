// What the tests use of a package that has no types.
declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http'
  import type { AddressInfo } from 'node:net'

  export interface Settings {
    address: string
    port: number
    silent: boolean
    directory: string
    configureBuckets: { name: string }[]
  }
  interface Context {
    path: string
    mountPath?: string
    state: object
  }
  export default class S3rver {
    middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
    httpServer: Server
    constructor(settings: Settings)
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
