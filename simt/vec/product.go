package vec

import "math"

// Products of matrices, row by row.

// productSide is how many rows and columns assembly does at once.
const productSide = 8

// AddProduct adds the product of two matrices to a third, each multiplication fused with an addition, in the
// order of the columns of x, of which there are k. The sum and y have so many columns; it and x have so many
// rows.
func AddProduct(sum, x, y []float64, columns, k int) {
	rows := len(sum) / columns
	if columns%productSide != 0 || rows%productSide != 0 || len(x) < rows*k || len(y) < k*columns || k <= 0 {
		addProduct(sum, x, y, columns, k)
		return
	}
	productChosen(sum, x, y, columns, k)
}

// productChosen is what runs AddProduct where rows and columns are multiples of productSide.
var productChosen = addProduct

// addProduct is the twin.
func addProduct(sum, x, y []float64, columns, k int) {
	for i := range sum {
		row, s := x[i/columns*k:][:k], sum[i]
		for j, v := range row {
			s = math.FMA(v, y[j*columns+i%columns], s)
		}
		sum[i] = s
	}
}
