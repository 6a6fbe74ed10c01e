! A program with most of what Fortran has in debug information.
module shapes
  implicit none
  type :: point
    real(8) :: x, y
    character(len=8) :: label
  end type point
  integer, parameter :: n = 4
  common /block/ shared_value
  integer :: shared_value
contains
  function area(p, m) result(a)
    type(point), intent(in) :: p
    real(8), intent(inout) :: m(:, :)
    real(8) :: a
    integer :: i
    a = p%x * p%y
    do i = 1, size(m, 1)
      m(i, 1) = m(i, 1) + a
    end do
  end function area
end module shapes

program main
  use shapes
  implicit none
  type(point) :: p
  real(8), allocatable :: grid(:, :)
  complex(4) :: z
  logical :: flag
  allocate (grid(n, 2))
  grid = 1.0d0
  p = point(2.0d0, 3.0d0, 'here')
  z = (1.0, -1.0)
  flag = area(p, grid) > 5
  shared_value = n
  print *, grid(1, 1), z, flag, p%label, shared_value
end program main
