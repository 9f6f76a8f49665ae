// pixel canvas 5 5 :: 0 128 0
// do dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' })); dispatchEvent(new CustomEvent('tick'))
// shows #score :: at 0,1
const size = 10, cells = 12

type Point = readonly [x: number, y: number]

class Game {
  private snake: Point[] = [[0, 0]]
  private direction: Point = [1, 0]
  private readonly context: CanvasRenderingContext2D

  constructor(canvas: HTMLCanvasElement, private readonly score: HTMLElement) {
    this.context = canvas.getContext('2d')!
    addEventListener('keydown', ({ key }) => {
      const to = ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] } as Record<string, Point>)[key]
      if (to) this.direction = to
    })
    addEventListener('tick', () => this.tick())
    this.draw()
  }

  tick(): void {
    const [[x, y]] = this.snake as [Point]
    this.snake = [[(x + this.direction[0] + cells) % cells, (y + this.direction[1] + cells) % cells]]
    this.draw()
  }

  private draw(): void {
    const { context } = this
    context.fillStyle = 'black'
    context.fillRect(0, 0, size * cells, size * cells)
    context.fillStyle = 'green'
    for (const [x, y] of this.snake) context.fillRect(x * size, y * size, size, size)
    this.score.textContent = `at ${this.snake[0]!.join()}`
  }
}

const canvas = Object.assign(document.createElement('canvas'), { width: size * cells, height: size * cells })
const score = Object.assign(document.createElement('p'), { id: 'score' })
document.getElementById('root')!.append(canvas, score)
new Game(canvas, score)
