// Cases of the shape of code: obfuscated in ten styles, minified in four. Deterministic.
import type { Case } from './samples.ts'

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Random = () => number
const pick = (random: Random, from: string, length: number): string =>
  Array.from({ length }, () => from[Math.floor(random() * from.length)]).join('')
const integer = (random: Random, below: number): number => Math.floor(random() * below)
const list = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index))

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PRINTABLE = `${BASE64}!#$%&()*,-.:;<=>?@^_{|}~`

const OBFUSCATED: [style: string, make: (random: Random) => string][] = [
  [
    'confusing names',
    (random) => {
      const names = list(24, () => `I${pick(random, 'Il1', 9)}`)
      return names
        .map((name, index) => `local ${name}=${index === 0 ? '0' : (names[index - 1] ?? '0')}+${integer(random, 900)};`)
        .join('')
    },
  ],
  ['escaped text', (random) => `return loadstring("${list(700, () => `\\${32 + integer(random, 90)}`).join('')}")()`],
  [
    'table of encoded strings',
    (random) =>
      `return(function(...)local W={${list(160, () => `"${pick(random, BASE64, 12 + integer(random, 20))}=="`).join(';')}};${list(
        40,
        () =>
          `W[${integer(random, 99)}],W[${integer(random, 99)}]=W[${integer(random, 99)}],W[${integer(random, 99)}];`,
      ).join('')}local function g(g)return W[g-(${integer(random, 90_000)}-${integer(random, 90_000)})]end ${list(
        60,
        () => `local ${pick(random, 'abcdefghij', 2)}x=g(${integer(random, 90_000)}+(-${integer(random, 90_000)}));`,
      ).join('')}end)(...)`,
  ],
  [
    'virtual machine with numbers',
    (random) =>
      `local a,b,c,d=string.byte,string.char,string.sub,table.concat;local e={${list(900, () => integer(random, 256)).join(',')}};local f=1;local function h()local i=e[f];f=f+1;return i end;while true do local j=h();if j<${integer(random, 200)} then if j>${integer(random, 50)} then e[h()]=h()else e[h()]=e[h()]end elseif j==${integer(random, 255)} then return e[h()]else f=h()end end`,
  ],
  [
    'payload with a decoder',
    (random) =>
      `local a=string.byte;local function b(c,d)local e='';for f=1,#c do e=e..string.char((a(c,f)-d)%256)end;return e end;return loadstring(b("${pick(random, PRINTABLE, 5_200)}",${integer(random, 90)}))()`,
  ],
  [
    'payload in brackets',
    (random) =>
      `return(function(a,b,c)local d,e,f=a,{},1;while f<=#d do e[#e+1]=(b(d,f)*${integer(random, 9)}+c)%256;f=f+1 end;return e end)([=[${pick(random, PRINTABLE, 6_000)}]=],string.byte,${integer(random, 99)})`,
  ],
  [
    'virtual machine with registers, payload in hexadecimal',
    (random) =>
      `return (function(aO,bO,cO,...)local r,z,w=aO,bO,cO;local function y(Df,Hf)local Wf,Mf,Ph={},Df[7],1;while(true)do local uS=Mf[Ph];local iS=uS[1];Ph=Ph+1;${dispatch(
        random,
        0,
        64,
      )}end;end;return y({[7]={}},"${pick(random, '0123456789ABCDEF', 40_000)}");end)(string.gsub,string.byte,unpack)`,
  ],
  [
    'virtual machine with registers, its mark blank',
    (random) =>
      `return(function(l,...)local m="${' '.repeat(90)}";${list(
        60,
        (index) =>
          `local ${pick(random, 'abcdefghij', 2)}=l[((#{${integer(random, 999)};${integer(random, 999)};}+${integer(random, 999_999_999)}))];local e${index}=(n["\\${97 + integer(random, 25)}"..l[${pick(random, 'abcdef', 1)}].."\\${97 + integer(random, 25)}"]);`,
      ).join('')}while(true)do local n=t;local e=n[1];t=n[2];${dispatch(random, 0, 16)}end;end)(({${list(
        60,
        () => `[(${integer(random, 999_999_999)})]=("\\${97 + integer(random, 25)}");`,
      ).join('')}}),...)`,
  ],
  [
    'virtual machine on many lines, instructions in a table of bytes',
    (random) =>
      `local f,a,b={\n${list(200, () => list(16, () => integer(random, 256)).join(',')).join(',\n')}},string.byte,1\nlocal r={}\nwhile true do\nlocal iS=f[b]\nb=b+1\n${dispatch(random, 0, 32).replaceAll(';', '\n')}\nend`,
  ],
  [
    'names in hexadecimal',
    (random) =>
      list(
        90,
        () =>
          `local _0x${pick(random, 'abcdef0123456789', 6)}=(0x${pick(random, 'abcdef0123456789', 4)}-0x${pick(random, 'abcdef0123456789', 4)})*0x${integer(random, 9)};`,
      ).join(''),
  ],
]

/** Chooses an instruction by halving the range of its number, as virtual machines do. */
function dispatch(random: Random, from: number, to: number): string {
  if (to - from > 1) {
    const middle = Math.floor((from + to) / 2)
    return `if(not(iS>=${middle}))then ${dispatch(random, from, middle)}else ${dispatch(random, middle, to)}end;`
  }
  const [a, b, c] = [integer(random, 9) + 1, integer(random, 9) + 1, integer(random, 9) + 1]
  return `r[uS[${a}]]=r[uS[${b}]]${pick(random, '+-*/%', 1)}uS[${c}];`
}

const MINIFIED: [style: string, make: (random: Random) => string][] = [
  [
    'statements on a line',
    (random) =>
      list(90, (index) => `local a${index}=${integer(random, 99)};if a${index}>3 then print(a${index})end;`).join(''),
  ],
  [
    'functions on a line',
    () =>
      list(
        40,
        (index) =>
          `local function f${index}(a,b)local c=a.Parent;if c and b then c:Destroy()else a.Name="x"end return c end `,
      ).join(''),
  ],
  [
    'a library for matrices on a line',
    () =>
      list(
        30,
        (index) =>
          `function m.f${index}(a,b)local c=Vector3.new(a[1]*b[1]+a[2]*b[4],a[1]*b[2],a[3]*b[9]);if a.kind==1 then return c.Magnitude end return math.floor(c.X*1000)/1000 end;`,
      ).join(''),
  ],
  [
    'a module on a line',
    (random) =>
      `local a={};a.__index=a;${list(
        40,
        (index) =>
          `function a:m${index}(b,c)for d,e in pairs(self.l)do if e.Name==b then e.v=c+${integer(random, 9)} end end return self end;`,
      ).join('')}return a`,
  ],
]

/** Each style with several seeds. */
export function shapeCases(): Case[] {
  const obfuscated = OBFUSCATED.flatMap(([style, make]) =>
    list(2, (index) => ({
      name: `shape.obfuscated ${index + 1}, ${style}`,
      capability: 'shape.obfuscated' as const,
      evasion: style,
      code: `${make(makeRandom(100 + index))}\n`,
      labels: ['shape.obfuscated' as const],
    })),
  )
  const minified = MINIFIED.flatMap(([style, make]) =>
    list(4, (index) => ({
      name: `shape.minified ${index + 1}, ${style}`,
      capability: 'shape.minified' as const,
      evasion: style,
      code: `${make(makeRandom(200 + index))}\n`,
      labels: ['shape.minified' as const],
    })),
  )
  return [...obfuscated, ...minified]
}
