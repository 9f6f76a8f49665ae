// shows #sum :: 3 items, 25.00
// do document.querySelector('button').click()
// shows #sum :: 4 items, 35.00
import { computed, createApp, defineComponent, ref } from 'vue/dist/vue.esm-bundler.js'

const Cart = defineComponent({
  setup() {
    const items = ref([{ name: 'Cup', price: 10, amount: 2 }, { name: 'Spoon', price: 5, amount: 1 }])
    const count = computed(() => items.value.reduce((n, item) => n + item.amount, 0))
    const sum = computed(() => items.value.reduce((n, item) => n + item.amount * item.price, 0).toFixed(2))
    return { items, count, sum }
  },
  template: `
    <ul><li v-for="item in items" :key="item.name">{{ item.name }} × {{ item.amount }} <button @click="item.amount++">+</button></li></ul>
    <p id="sum">{{ count }} items, {{ sum }}</p>`,
})

createApp(Cart).mount('#root')
