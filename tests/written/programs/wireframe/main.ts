// shows #faces :: drawn with a torus knot of 64 points
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { SVGRenderer } from 'three/addons/renderers/SVGRenderer.js'

const scene = new THREE.Scene()
scene.background = new THREE.Color('white')
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100)
camera.position.z = 4

const geometry = new THREE.TorusKnotGeometry(1, 0.3, 64, 8)
scene.add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: 0x336699, wireframe: true })))

const renderer = new SVGRenderer()
renderer.setSize(200, 200)
const root = document.getElementById('root')!
root.append(renderer.domElement)
new OrbitControls(camera, renderer.domElement as unknown as HTMLElement).update()
renderer.render(scene, camera)

const { tubularSegments } = geometry.parameters
const faces = Object.assign(document.createElement('p'), { id: 'faces' })
faces.textContent = `${renderer.domElement.querySelectorAll('path').length > 0 ? 'drawn' : 'not drawn'} with a torus knot of ${tubularSegments} points`
root.append(faces)
