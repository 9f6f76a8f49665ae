import { range } from './range'

onmessage = ({ data: below }: MessageEvent<number>) => {
  const isPrime = (n: number) => range(2, Math.floor(Math.sqrt(n)) + 1).every((divisor) => n % divisor !== 0)
  postMessage(range(2, below).filter(isPrime).length)
}
