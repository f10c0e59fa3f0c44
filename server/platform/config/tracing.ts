import { type Environment, isDecodable, readText, readUrl, SettingError } from './values.ts'

export const TRACING_SETTINGS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_SERVICE_NAME',
] as const

export interface TracingConfig {
  /** URL of an OpenTelemetry collector, without a trailing slash. */
  endpoint: string
  headers: Record<string, string>
  /** Part of the traces that are recorded, from 0 to 1. */
  ratio: number
  serviceName: string
}

/** Undefined if traces are off. Throws SettingError. */
export function readTracing(env: Environment): TracingConfig | undefined {
  const endpoint = readUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])
  if (endpoint === undefined) return undefined
  const ratio = readText(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '1'
  if (!/^(0(\.\d{1,9})?|1(\.0+)?)$/.test(ratio))
    throw new SettingError('OTEL_TRACES_SAMPLER_ARG', `is "${ratio}"; set it to a number from 0 to 1.`)
  const serviceName = readText(env, 'OTEL_SERVICE_NAME') ?? 'scriptyard'
  return { endpoint, headers: readTracingHeaders(env), ratio: Number(ratio), serviceName }
}

/** Pairs of names and percent-encoded values, which may be secrets. */
function readTracingHeaders(env: Environment): Record<string, string> {
  const pairs = (readText(env, 'OTEL_EXPORTER_OTLP_HEADERS') ?? '').split(',').filter(Boolean)
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([\w-]+)\s*=\s*([\x21-\x7e]+)\s*$/.exec(pair) ?? []
      if (name !== undefined && value !== undefined && isDecodable(value)) return [name, decodeURIComponent(value)]
      throw new SettingError(
        'OTEL_EXPORTER_OTLP_HEADERS',
        'has the wrong format; set it to name=value pairs with commas.',
      )
    }),
  )
}
