import type { Access } from '#contract/operation.ts'
import type { Statuses } from './rights.ts'
import type { Scene } from './scene.ts'

export interface SampleCall {
  /** Values for the parts of the path. */
  path?: Record<string, string | number>
  query?: Record<string, string | number>
  payload?: object
  file?: Buffer
}

export interface Sample {
  /** Statuses of actors whom the access of the operation admits, but not the handler with this call. */
  except?: Partial<Statuses>
  /** Set if the access of this call is another than the operation's. */
  access?: Access
  call?: (scene: Scene) => SampleCall
}
