// The process of one shard. It receives calls over the pipe with the file descriptor 3 and answers them in order.
import { Socket } from 'node:net'
import { Channel, encodeMessage } from './channel.ts'
import { ShardIndex, type ShardSetup } from './shard-index.ts'

/** A call of a method of `ShardIndex`; the first message has the arguments of its constructor instead. */
export type Call = [id: number, method: string, ...parameters: unknown[]]

export type Reply = [id: number, result: unknown, error?: { name: string; message: string }]

let shard: ShardIndex | undefined
let work = Promise.resolve()

const channel = new Channel(
  new Socket({ fd: 3 }),
  (message) => {
    work = work.then(() => answer(message as Call))
  },
  () => process.exit(0),
)

async function answer([id, method, ...parameters]: Call): Promise<void> {
  try {
    shard ??= new ShardIndex(parameters[0] as ShardSetup)
    const result: unknown = method === 'open' ? undefined : await call(shard, method, parameters)
    channel.send(encodeMessage([id, result] satisfies Reply))
  } catch (error) {
    const { name, message } = error as Error
    channel.send(encodeMessage([id, undefined, { name, message }] satisfies Reply))
  }
}

const call = (index: ShardIndex, method: string, parameters: unknown[]): unknown =>
  (index[method as keyof ShardIndex] as (...all: unknown[]) => unknown)(...parameters)

// The coordinator ends its shards, also when a terminal or a service manager signals the whole group.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
