import { existsSync, renameSync, rmSync } from 'node:fs'
import type { Address } from './address.ts'
import type { Binaries } from './binaries.ts'
import { makePrivateFolder } from './folders.ts'
import type { Owner } from './owner.ts'
import { runProgram } from './run.ts'

export interface Cluster {
  folder: string
  bin: Binaries
  owner: Owner
  address: Address
  /** Off for throwaway databases: quicker, and lost with the machine's power. */
  durable: boolean
  maxConnections: number
}

/** Makes the cluster when there is none. It gets its name only once it is whole: a kill on the way leaves a draft. */
export async function ensureCluster({ folder, bin, owner, address, durable }: Cluster): Promise<void> {
  if (existsSync(folder)) return
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  makePrivateFolder(draft, owner)
  const text = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const haste = durable ? [] : ['--no-sync']
  const user = ['-U', address.connection.user, ...address.initFlags]
  try {
    await runProgram(bin.initdb, ['-D', draft, ...user, ...text, ...haste, '--no-instructions'], owner, draft)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
  renameSync(draft, folder)
}
