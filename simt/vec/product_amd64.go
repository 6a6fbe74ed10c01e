package vec

// The functions of product_amd64.s: eight rows and eight columns.

//go:noescape
func product512(sum, x, y *float64, columns, k int)

//go:noescape
func product256(sum, x, y *float64, columns, k int)

// inSquares does a product by squares.
func inSquares(square func(sum, x, y *float64, columns, k int)) func(sum, x, y []float64, columns, k int) {
	return func(sum, x, y []float64, columns, k int) {
		for row := 0; row < len(sum)/columns; row += productSide {
			for col := 0; col < columns; col += productSide {
				square(&sum[row*columns+col], &x[row*k], &y[col], columns, k)
			}
		}
	}
}
